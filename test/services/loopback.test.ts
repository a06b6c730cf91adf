import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { endProcess, freePort } from './loopback.ts'

const withoutProc =
  process.platform !== 'linux' && 'the processes that a process has started are listed on Linux only'

describe('endProcess()', { skip: withoutProc }, () => {
  it('a killed server leaves no process of its own behind, not even one that just starts [R-25]', async () => {
    for (let round = 1; round <= 10; round++) {
      const mark = `60.${process.pid}${round}`
      const loop = `i=0; while [ $i -lt 400 ]; do sleep ${mark} & i=$((i+1)); done; wait`
      const child = spawn('sh', ['-c', loop], { stdio: 'ignore' })
      while (running(mark).length < 2) await pause(1)

      await endProcess(child, 'SIGKILL')

      assert.deepEqual(running(mark), [], `round ${round}`)
    }
  })
})

describe('freePort()', () => {
  it('gives no port twice, and none that an outgoing connection may be given', async () => {
    const ports = await Promise.all(Array.from({ length: 2000 }, freePort))

    assert.equal(new Set(ports).size, ports.length)
    // The lowest of Linux, macOS and Windows; all of them begin at 32,768 or above.
    assert.ok(Math.max(...ports) < 32_768)
  })
})

// The command lines that have the mark; a process that has ended has none.
function running(mark: string): string[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name))
  return pids.map(commandLineOf).filter((line) => line.includes(mark))
}

function commandLineOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
