/**
 * `npm run bench`: Sallyport compared with raw node:http, Fastify and Express. README.md has the contract and the method.
 *
 * @module
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

import { measure, type Sample } from './lib/measure.ts'
import { formatScenario, type Measured } from './lib/report.ts'
import { type Load, type Scenario, scenarios } from './lib/scenarios.ts'
import { canPin, killServers, type Server, startRedis, startServer, stopServer } from './lib/server.ts'
import { makeTable } from './lib/table.ts'

const { values: options } = parseArgs({
  options: {
    scenarios: { type: 'string', default: scenarios.map(({ number }) => number).join(',') },
    rounds: { type: 'string', default: '5' },
    seconds: { type: 'string', default: '2' },
    only: { type: 'string' },
    check: { type: 'boolean', default: false },
  },
})

// A server whose code is still being compiled would give other figures.
const warmUpSeconds = 4

/** The baseline of every comparison: always started, whatever `--only` says. */
const floor = 'raw'
const contestants: Readonly<Record<string, string>> = {
  [floor]: 'raw.mjs',
  sallyport: 'http.ts',
  page: 'page.ts',
  fastify: 'fastify.mjs',
  express: 'express.mjs',
}

/** A contestant in a scenario, checked and ready. */
interface Entrant {
  readonly name: string
  readonly server: Server
  readonly load: Load
  readonly samples: Sample[]
  problem?: string
}

const chosenScenarios = choose(options.scenarios.split(','))
const rounds = positive('rounds', options.rounds)
const seconds = positive('seconds', options.seconds)
const names = Object.keys(contestants).filter(
  (name) => name === floor || (options.only?.split(',').includes(name) ?? true),
)
const folder = mkdtempSync(join(tmpdir(), 'sallyport-bench-'))
const table = join(folder, 'table.json')
writeFileSync(table, JSON.stringify(makeTable()))

for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.once(signal, () => {
    killServers()
    process.exit(1)
  })
}
if (!canPin)
  process.stderr.write(
    'taskset or a second core is missing: processes share cores, so the figures are rough\n',
  )
try {
  for (const scenario of chosenScenarios) await run(scenario)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function run(scenario: Scenario): Promise<void> {
  const redis = scenario.needsRedis === true ? await tryRedis() : undefined
  if (redis === null) return
  const entrants: Entrant[] = []
  const failures: [name: string, problem: string][] = []
  try {
    for (const name of names.filter((each) => plays(each, scenario))) {
      try {
        entrants.push(await enter(name, scenario, redis?.port))
      } catch (error) {
        failures.push([name, messageOf(error)])
      }
    }
    if (!options.check) await measureAll(entrants)
  } finally {
    await Promise.all(entrants.map(({ server }) => stopServer(server.process)))
    if (redis !== undefined) await stopServer(redis.process)
  }

  failures.push(
    ...entrants.flatMap(({ name, problem }): [string, string][] => (problem ? [[name, problem]] : [])),
  )
  const measured: Measured[] = entrants.filter(({ problem }) => problem === undefined)
  process.stdout.write(formatScenario(scenario, { floor, measured, failures, checkedOnly: options.check }))
  if (failures.length > 0) process.exitCode = 1
}

/** Scenarios without a list are played by everybody but the specialists of others. */
function plays(name: string, { contestants: own }: Scenario): boolean {
  const specialists = scenarios.flatMap(({ contestants: special = [] }) => special)
  return own?.includes(name) ?? (name === floor || !specialists.includes(name))
}

/** Without Redis, its scenario is skipped and the bench continues. */
async function tryRedis(): Promise<Server | null> {
  try {
    return await startRedis()
  } catch (error) {
    process.stderr.write(`scenario 5 is skipped: ${messageOf(error)}\n`)
    return null
  }
}

async function enter(name: string, scenario: Scenario, redisPort: number | undefined): Promise<Entrant> {
  const file = fileURLToPath(new URL(`contestants/${contestants[name]}`, import.meta.url))
  if (!existsSync(file)) throw new Error(`there is no ${contestants[name]}`)
  const server = await startServer(file, {
    SCENARIO: `${scenario.number}`,
    TABLE: table,
    ...(redisPort === undefined ? {} : { REDIS_URL: `redis://127.0.0.1:${redisPort}` }),
  })
  try {
    return { name, server, load: await scenario.prepare(server.port), samples: [] }
  } catch (error) {
    await stopServer(server.process)
    throw error
  }
}

/** Rounds are the outer loop, each starting with another contestant: other load on the machine then affects all alike. */
async function measureAll(entrants: readonly Entrant[]): Promise<void> {
  for (let round = -1; round < rounds; round++) {
    const isWarmUp = round < 0
    for (const [at] of entrants.entries()) {
      const entrant = entrants[(at + Math.max(round, 0)) % entrants.length]
      if (entrant === undefined || entrant.problem !== undefined) continue
      try {
        const sample = await measure(entrant.server, entrant.load, isWarmUp ? warmUpSeconds : seconds)
        if (!isWarmUp) entrant.samples.push(sample)
      } catch (error) {
        entrant.problem = messageOf(error)
      }
    }
  }
}

function choose(wanted: readonly string[]): Scenario[] {
  return wanted.map((number) => {
    const scenario = scenarios.find((each) => `${each.number}` === number.trim())
    if (scenario === undefined) throw new RangeError(`There is no scenario "${number}"`)
    return scenario
  })
}

function positive(name: string, text: string): number {
  const number = Number(text)
  if (!(number > 0)) throw new RangeError(`--${name} is a number above 0, not "${text}"`)
  return number
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message.split('\n').slice(0, 4).join(' ') : String(error)
}
