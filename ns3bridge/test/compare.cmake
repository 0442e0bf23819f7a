# SPDX-License-Identifier: GPL-2.0-only
# Runs a case of the HPCC simulator inside ns-3 and demands its fct.txt byte for byte.
# usage: cmake -DPROGRAM=trace-driven -DCASE=folder -DOUT=folder -P compare.cmake
file(MAKE_DIRECTORY ${OUT})
execute_process(
  COMMAND ${PROGRAM} --config=${CASE}/config.txt --fct=${OUT}/fct.txt --SchedulerType=ns3::PriorityQueueScheduler
  COMMAND_ERROR_IS_FATAL ANY)
execute_process(
  COMMAND ${CMAKE_COMMAND} -E compare_files ${CASE}/fct.txt ${OUT}/fct.txt
  COMMAND_ERROR_IS_FATAL ANY)
