import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, describe, it } from 'node:test'

import { succeed } from '../cli/packed-package.ts'
import { commandOf, type Host, hosts } from './hosts.ts'
import { type Installation, installHosts } from './installation.ts'
import { writeResults } from './results.ts'
import { steps } from './steps.ts'
import { Visitor } from './visitor.ts'

const STEP_MILLISECONDS = 20_000
const installation = installHosts()
const passed = new Map<string, number>()

interface Running {
  readonly process: ChildProcess
  readonly port: number
  /** What it has written so far. */
  readonly output: () => string
}

/** Starts a host and waits until it listens. */
async function start(host: Host, mount: string, installed: Installation): Promise<Running> {
  const [program, ...args] = [...commandOf(host.runtime, installed), host.program, mount]
  const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '', NEXT_TELEMETRY_DISABLED: '1' }
  const child = spawn(program, args, { cwd: installed.folder, env, stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const { promise: port, resolve, reject } = Promise.withResolvers<number>()
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /^listening on (\d+)$/m.exec(output)
      if (found !== null) resolve(Number(found[1]))
    })
  child.once('error', reject)
  child.once('exit', (code) => reject(new Error(`It ended with ${code} before it listened: ${output}`)))
  return { process: child, port: await port, output: () => output }
}

async function stop({ process: child }: Running): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), STEP_MILLISECONDS)
  await once(child, 'exit')
  clearTimeout(late)
}

async function takeSteps(host: Host, mount: string, running: Running): Promise<void> {
  const origin = `http://127.0.0.1:${running.port}`
  const address = host.tellsAddress === false ? '' : '127.0.0.1'
  const visitor = new Visitor(origin, mount)
  for (const { name, take } of steps) {
    try {
      await within(take(visitor, { origin, mount, address }))
    } catch (cause) {
      throw new Error(
        `${name}: ${cause instanceof Error ? cause.message : String(cause)}\n${running.output()}`,
        { cause },
      )
    }
  }
}

async function within(work: Promise<void>): Promise<void> {
  const { promise: over, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error('it did not end')), STEP_MILLISECONDS)
  await Promise.race([work, over]).finally(() => clearTimeout(timer))
}

function reasonToSkip({ packageName }: Host): string | false {
  if (typeof installation === 'string') return installation
  const isHere = packageName === undefined || installation.versionOf(packageName) !== undefined
  return isHere ? false : `${packageName} is not there for this system`
}

describe('the program on its hosts', () => {
  after(() => {
    if (typeof installation !== 'string') writeResults(installation, passed)
  })

  for (const host of hosts) {
    let isBuilt = false
    for (const mount of ['', '/app']) {
      const clauses = host.program === 'node.mjs' ? 'HOST-01' : 'HOST-01 HOST-02 HOST-03'
      const where = mount === '' ? 'at the root' : `below ${mount}`
      it(
        `takes all its steps on ${host.name}, ${where} [${clauses}]`,
        { skip: reasonToSkip(host) },
        async () => {
          assert.ok(typeof installation !== 'string')
          if (host.build !== undefined && !isBuilt) succeed(process.execPath, host.build, installation.folder)
          isBuilt = true
          const running = await start(host, mount, installation)
          try {
            await takeSteps(host, mount, running)
          } finally {
            await stop(running)
          }
          passed.set(host.name, (passed.get(host.name) ?? 0) + 1)
        },
      )
    }
  }
})
