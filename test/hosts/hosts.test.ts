import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'

import { succeed } from '../cli/packed-package.ts'
import { printedBy } from './oldest-node.ts'
import { commandOf, type Host, hosts } from './hosts.ts'
import { type Installation, installHosts } from './installation.ts'
import { type Passed, writeResults } from './results.ts'
import { type Running, start } from './running.ts'
import { steps } from './steps.ts'
import { Visitor } from './visitor.ts'

const STEP_MILLISECONDS = 20_000
const isNight = process.env['NIGHTLY'] === '1'
const byDay = installHosts()
const byNight = isNight ? installHosts(['program', 'night']) : byDay
const tested = hosts.filter(({ isNightly = false }) => isNight || !isNightly)
const passed: Passed[] = []

async function takeSteps(host: Host, mount: string, running: Running): Promise<void> {
  const origin = `http://127.0.0.1:${running.port}`
  const address = host.tellsAddress === false ? '' : '127.0.0.1'
  const { guardsPage = false } = host
  const visitor = new Visitor(origin, mount)
  for (const { name, take } of steps) {
    try {
      await within(take(visitor, { origin, mount, address, guardsPage }))
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

function installationOf({ isNightly = false }: Host): Installation | string {
  return isNightly ? byNight : byDay
}

function reasonToSkip(host: Host): string | false {
  const { packageName } = host
  const installation = installationOf(host)
  if (typeof installation === 'string') return installation
  const isHere = packageName === undefined || installation.versionOf(packageName) !== undefined
  return isHere ? false : `${packageName} is not there for this system`
}

describe('the program on its hosts', () => {
  after(() => {
    writeResults(passed)
  })

  for (const host of tested) {
    let isBuilt = false
    for (const mount of ['', '/app']) {
      const clauses = host.program === 'node.mjs' ? 'HOST-01' : 'HOST-01 HOST-02 HOST-03'
      const where = mount === '' ? 'at the root' : `below ${mount}`
      it(
        `takes all its steps on ${host.name}, ${where} [${clauses}]`,
        { skip: reasonToSkip(host) },
        async () => {
          const installation = installationOf(host)
          assert.ok(typeof installation !== 'string')
          if (host.build !== undefined && !isBuilt) succeed(process.execPath, host.build, installation.folder)
          isBuilt = true
          const command = [...commandOf(host.runtime, installation), host.program, mount]
          const env = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }
          const running = await start(command, { folder: installation.folder, env })
          try {
            await takeSteps(host, mount, running)
          } finally {
            await running.stop()
          }
          const version =
            host.packageName === undefined
              ? process.version.slice(1)
              : installation.versionOf(host.packageName)
          passed.push({ host, version: version ?? '' })
        },
      )
    }
  }
})

describe('the oldest Node', () => {
  const host = hosts.find(({ runtime }) => runtime === 'node22')
  const reason = host === undefined ? 'there is no Node 22' : reasonToSkip(host)

  it('renders views, opens a session store and runs the commands [HOST-01]', { skip: reason }, () => {
    assert.ok(host !== undefined)
    const installation = installationOf(host)
    assert.ok(typeof installation !== 'string')
    const [node = ''] = commandOf('node22', installation)

    const { page, routes, check, info } = printedBy(installation, node)

    assert.equal(page, '<a href="/">Ada</a>\n')
    assert.match(routes, /^GET\|HEAD +\/ +HomeController::index +site:home/m)
    assert.match(check, /: 0 faults, 0 notes\n$/)
    // The version that the package asks for, and no newer one.
    assert.match(info, /^node +22\.18\.0$/m)
  })
})
