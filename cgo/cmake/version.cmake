# Sets qbb_version to the version that qbb.h tells.
file(STRINGS ${CMAKE_CURRENT_LIST_DIR}/../qbb.h qbb_version_line REGEX "^#define QBB_VERSION ")
string(REGEX MATCH "[0-9]+\\.[0-9]+\\.[0-9]+" qbb_version "${qbb_version_line}")
