# SPDX-License-Identifier: GPL-2.0-only
# Runs cases of the HPCC simulator inside ns-3 and requires their outputs byte for byte: fct.txt, and
# pfc.txt and qlen.txt where a case has them.
# usage: cmake -DPROGRAM=trace-driven -DCASE=folders -DOUT=folder -P compare.cmake, where folders is one or
# a pattern
file(GLOB cases LIST_DIRECTORIES true ${CASE})
if(NOT cases)
  message(FATAL_ERROR "no case ${CASE}")
endif()
foreach(case ${cases})
  message(STATUS ${case})
  file(REMOVE_RECURSE ${OUT})
  file(MAKE_DIRECTORY ${OUT})
  execute_process(
    COMMAND ${PROGRAM} --config=${case}/config.txt --SchedulerType=ns3::PriorityQueueScheduler
    WORKING_DIRECTORY ${OUT}
    COMMAND_ERROR_IS_FATAL ANY)
  foreach(name fct.txt pfc.txt qlen.txt)
    if(name STREQUAL fct.txt OR EXISTS ${case}/${name})
      file(SHA256 ${case}/${name} want)
      file(SHA256 ${OUT}/${name} got)
      if(NOT got STREQUAL want)
        message(FATAL_ERROR "${OUT}/${name} is not ${case}/${name}")
      endif()
    endif()
  endforeach()
endforeach()
