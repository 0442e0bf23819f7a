# SPDX-License-Identifier: GPL-2.0-only
# Installs the module and the C library into a folder and builds an example against them, as a
# user does.
# usage: cmake -DBUILD=folder -DWORK=folder -DNS3=folder -DEXAMPLES=folder -P installed.cmake
function(must)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE code OUTPUT_VARIABLE out ERROR_VARIABLE out)
  if(NOT code EQUAL 0)
    message(FATAL_ERROR "${ARGN}: ${code}\n${out}")
  endif()
endfunction()

file(REMOVE_RECURSE ${WORK})
must(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)
file(WRITE ${WORK}/user/CMakeLists.txt "
cmake_minimum_required(VERSION 3.19)
project(user LANGUAGES C CXX)
find_package(qbb-ns3 0.1 REQUIRED)
add_executable(user ${EXAMPLES}/qbb-first.cc)
target_link_libraries(user PRIVATE qbb::ns3)
")
must(${CMAKE_COMMAND} -S ${WORK}/user -B ${WORK}/user/build -DCMAKE_PREFIX_PATH=${WORK}/prefix -Dns3_DIR=${NS3})
must(${CMAKE_COMMAND} --build ${WORK}/user/build)
must(${WORK}/user/build/user --bytes=10000)
