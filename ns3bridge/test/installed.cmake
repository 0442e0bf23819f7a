# SPDX-License-Identifier: GPL-2.0-only
# Installs the module and the C library into a folder and builds examples against them, as a
# user does; and configures a program that has the module as a folder of its own build.
# usage: cmake -DBUILD=folder -DWORK=folder -DNS3=folder -DMODULE=folder -DAPPLICATIONS=target -P installed.cmake
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
add_executable(user ${MODULE}/examples/qbb-first.cc)
target_link_libraries(user PRIVATE qbb::ns3)
add_executable(mixed ${MODULE}/examples/qbb-mixed.cc)
target_link_libraries(mixed PRIVATE qbb::ns3)
find_package(ns3 REQUIRED)
target_link_libraries(mixed PRIVATE ${APPLICATIONS})
")
must(${CMAKE_COMMAND} -S ${WORK}/user -B ${WORK}/user/build -DCMAKE_PREFIX_PATH=${WORK}/prefix -Dns3_DIR=${NS3})
must(${CMAKE_COMMAND} --build ${WORK}/user/build)
must(${WORK}/user/build/user --bytes=10000)
must(${WORK}/user/build/mixed)

file(WRITE ${WORK}/folder/CMakeLists.txt "
cmake_minimum_required(VERSION 3.19)
project(user LANGUAGES C CXX)
add_subdirectory(${MODULE} qbb)
add_executable(mixed ${MODULE}/examples/qbb-mixed.cc)
target_link_libraries(mixed PRIVATE qbb::ns3)
find_package(ns3 REQUIRED)
target_link_libraries(mixed PRIVATE ${APPLICATIONS})
")
must(${CMAKE_COMMAND} -S ${WORK}/folder -B ${WORK}/folder/build -Dns3_DIR=${NS3})
