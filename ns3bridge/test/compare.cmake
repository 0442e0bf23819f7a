# SPDX-License-Identifier: GPL-2.0-only
# Runs a case of the HPCC simulator inside ns-3 and demands its outputs byte for byte: fct.txt, and
# pfc.txt and qlen.txt where the case has them.
# usage: cmake -DPROGRAM=trace-driven -DCASE=folder -DOUT=folder -P compare.cmake
file(REMOVE_RECURSE ${OUT})
file(MAKE_DIRECTORY ${OUT})
execute_process(
  COMMAND ${PROGRAM} --config=${CASE}/config.txt --SchedulerType=ns3::PriorityQueueScheduler
  WORKING_DIRECTORY ${OUT}
  COMMAND_ERROR_IS_FATAL ANY)
foreach(name fct pfc qlen)
  if(name STREQUAL fct OR EXISTS ${CASE}/${name}.txt)
    execute_process(
      COMMAND ${CMAKE_COMMAND} -E compare_files ${CASE}/${name}.txt ${OUT}/${name}.txt
      COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
