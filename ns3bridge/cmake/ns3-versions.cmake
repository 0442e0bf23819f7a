# SPDX-License-Identifier: GPL-2.0-only
# What differs between the releases of ns-3.

# qbb_ns3_find(OPTION) is find_package(ns3 OPTION), REQUIRED or QUIET, for 3.37 or later. The
# package of a release accepts only its own version as compatible, so that find_package(ns3 3.37)
# skips later ones.
macro(qbb_ns3_find option)
  find_package(ns3 ${option})
  if(ns3_FOUND AND ns3_VERSION VERSION_LESS 3.37)
    set(ns3_FOUND FALSE)
    if("${option}" STREQUAL REQUIRED)
      message(FATAL_ERROR "ns-3 ${ns3_VERSION} in ${ns3_DIR} is too old: 3.37 or later is needed")
    endif()
  endif()
endmacro()

# qbb_ns3_modules(OUT MODULE...) sets OUT to the targets of modules, whose names begin with "lib"
# before 3.43.
function(qbb_ns3_modules out)
  set(targets)
  foreach(module ${ARGN})
    if(TARGET ns3::${module})
      list(APPEND targets ns3::${module})
    elseif(TARGET ns3::lib${module})
      list(APPEND targets ns3::lib${module})
    else()
      message(FATAL_ERROR "the installed ns-3 has no module ${module}")
    endif()
  endforeach()
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# qbb_ns3_standard(OUT VERSION) sets OUT to the C++ standard that a release requires.
function(qbb_ns3_standard out version)
  if(version VERSION_GREATER_EQUAL 3.46)
    set(${out} 23 PARENT_SCOPE)
  elseif(version VERSION_GREATER_EQUAL 3.41)
    set(${out} 20 PARENT_SCOPE)
  else()
    set(${out} 17 PARENT_SCOPE)
  endif()
endfunction()
