/**
 * What one process and four of the starter carry, on each backend, and what follows for many more people:
 * `npm run bench -- scale`. It writes `results/scale.json`, and the page `docs/scale.md` out of that.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'
import { parseArgs } from 'node:util'

import { PASSWORD_LIMIT } from '../starter/core/limits/limits.ts'
import { type Backend, BACKENDS } from './scale/backends.ts'
import { type Figures, readFigures, type Run, writeFigures } from './scale/figures.ts'
import { Group } from './scale/group.ts'
import { countLetThrough, measurePages, measureSignIns } from './scale/measures.ts'
import { writePage } from './scale/page.ts'
import { type Counts, People } from './scale/people.ts'

const { values: options } = parseArgs({
  options: {
    seconds: { type: 'string', default: '8' },
    people: { type: 'string', default: '3000' },
    'no-write': { type: 'boolean', default: false },
    page: { type: 'boolean', default: false },
  },
})

// Servers and processes end with this one, if it ends by itself.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(1))

const GROUPS = [1, 4]
const ATTEMPTS = 40
const seconds = positive('seconds')
const counts: Counts = { cheap: positive('people'), production: Math.ceil(positive('people') / 2) }

if (options.page) writePage(readFigures())
else {
  const figures = await measureAll()
  if (options['no-write']) process.stdout.write(`${JSON.stringify(figures, undefined, 2)}\n`)
  else {
    writeFigures(figures)
    writePage(figures)
  }
}

async function measureAll(): Promise<Figures> {
  const [loadBefore = 0] = loadavg()
  const versions: Record<string, string> = { Node: process.versions.node, Sallyport: ownVersion() }
  const backends: Figures['backends'][number][] = []
  for (const start of BACKENDS) {
    const backend = await start()
    try {
      Object.assign(versions, backend.versions)
      backends.push({ name: backend.name, runs: await measureBackend(backend) })
    } finally {
      await backend.stop()
    }
  }
  const machine = {
    processor: cpus()[0]?.model ?? 'unknown',
    cores: cpus().length,
    memoryGibibytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release().replace(/-.*/, '')}`,
    loadBefore,
  }
  const date = new Date().toISOString().slice(0, 10)
  const tried = { attempts: ATTEMPTS, limit: PASSWORD_LIMIT.failures }
  return { date, machine, versions, seconds, ...tried, backends }
}

async function measureBackend(backend: Backend): Promise<Run[]> {
  const people = await People.make(backend, counts)
  const runs: Run[] = []
  for (const processes of GROUPS) {
    const run = await measureGroup(backend, people, processes)
    process.stdout.write(`${backend.name}, processes: ${processes}: ${JSON.stringify(run)}\n`)
    runs.push(run)
  }
  return runs
}

async function measureGroup(
  backend: Backend,
  people: Awaited<ReturnType<typeof People.make>>,
  processes: number,
): Promise<Run> {
  const group = await Group.start(backend, { processes, passwords: 'cheap' })
  const subject = { backend, group, people: people.cheap, seconds }
  const pages = await measurePages(subject)
  const cheap = await measureSignIns(subject)
  const [sessionReads, writes] = [await group.rate('reads', seconds), await group.rate('writes', seconds)]
  const letThrough = await countLetThrough(subject, people.cheap.next(), ATTEMPTS)
  await group.stop()

  const inProduction = await Group.start(backend, { processes, passwords: 'production' })
  const hashed = await measureSignIns({ backend, group: inProduction, people: people.production, seconds })
  await inProduction.stop()

  return {
    processes,
    pages: pages.perSecond,
    pageP99Milliseconds: pages.p99Milliseconds,
    signIns: hashed.perSecond,
    cheapSignIns: cheap.perSecond,
    refusedSignIns: hashed.refusedPerSecond,
    refusedCheapSignIns: cheap.refusedPerSecond,
    sessionReads,
    writes,
    letThrough,
    page: pages.cost,
    signIn: cheap.cost,
    hashMilliseconds: hashed.hashMilliseconds,
  }
}

function positive(name: 'seconds' | 'people'): number {
  const number = Number(options[name])
  if (!(number > 0)) throw new RangeError(`--${name} is a number above 0, not "${options[name]}"`)
  return number
}

function ownVersion(): string {
  const text = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}
