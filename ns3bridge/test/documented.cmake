# SPDX-License-Identifier: GPL-2.0-only
# Runs the examples whose command and output the manual shows, and requires that output.
# usage: cmake -DEXAMPLES=folder -DMANUAL=qbb.rst -P documented.cmake
file(READ ${MANUAL} manual)
foreach(command "qbb-first --cc=dcqcn" "qbb-mixed --cc=dcqcn --other=hpcc --queues=queues.txt")
  separate_arguments(words UNIX_COMMAND ${command})
  list(POP_FRONT words program)
  execute_process(COMMAND ${EXAMPLES}/${program} ${words} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  string(PREPEND output "$ build/examples/${command}\n")
  string(REGEX REPLACE "([^\n]+)" "  \\1" output "${output}")
  string(FIND "${manual}" "${output}" at)
  if(at LESS 0)
    message(FATAL_ERROR "${MANUAL} shows something else than\n${output}")
  endif()
endforeach()
