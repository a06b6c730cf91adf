/**
 * Loaded into the process of each test file: ends the file when it takes longer than any may. Node's time limit is for a
 * test; a file whose tests are over stays as long as a socket or a program of theirs is open, and the run with it.
 *
 * @module
 */
const limit = Number(process.env.TEST_FILE_TIMEOUT_MILLISECONDS)

// Programs that a test starts inherit the environment, but not what is loaded; those that it forks inherit both.
if (process.env.NODE_TEST_CONTEXT !== undefined && process.send === undefined && limit > 0) {
  // By itself the timer keeps nothing running.
  setTimeout(end, limit).unref()
}

function end() {
  const open = process.getActiveResourcesInfo().join(', ')
  process.stderr.write(
    `${process.argv[1]} has not ended after ${limit / 1000} s. Close what its tests open, also when they fail. ` +
      `Open: ${open}\n`,
  )
  // 'exit' listeners run: programs that tests started end with it.
  process.exit(1)
}
