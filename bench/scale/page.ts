/**
 * The part of `docs/scale.md` that is made of figures.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'

import type { Figures, Run } from './figures.ts'
import { comparedRuns, MILLION_PER_SECOND, rounded, wallsOf } from './reckoning.ts'

const PAGE = new URL('../../docs/scale.md', import.meta.url)
const BEGIN = '<!-- figures: begin -->'
const END = '<!-- figures: end -->'
const HOUR_SECONDS = 3600

type Row = readonly [name: string, ...cells: string[]]

/** @returns The part of the page that is between its markers. */
export function blockIn(page: string = readFileSync(PAGE, 'utf8')): string {
  return page.slice(page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)).trim()
}

/**
 * Writes the page.
 *
 * @param figures What it says.
 */
export function writePage(figures: Figures): void {
  const page = readFileSync(PAGE, 'utf8')
  const [start, end] = [page.indexOf(BEGIN) + BEGIN.length, page.indexOf(END)]
  writeFileSync(PAGE, `${page.slice(0, start)}\n\n${blockOf(figures)}\n\n${page.slice(end)}`)
}

/**
 * @param figures Figures of a run.
 * @returns The part of the page.
 */
export function blockOf(figures: Figures): string {
  return [
    machineText(figures),
    measuredTable(figures),
    '## A million sign-ins in an hour',
    millionText(figures),
    '## The first wall',
    wallText(figures),
    '## What Redis Cluster moves',
    clusterText(figures),
  ].join('\n\n')
}

function machineText({ date, machine, versions, seconds }: Figures): string {
  const programs = Object.entries(versions).map(([name, version]) => `${name} ${version}`)
  const isBusy = machine.loadBefore > machine.cores / 4
  const busy = isBusy
    ? ` The machine was busy with something else (load ${machine.loadBefore.toFixed(1)}), so a quiet one carries more.`
    : ''
  return `Measured on ${date}: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGibibytes} GiB of memory, ${machine.system}; ${programs.join(', ')}. Each figure comes from ${seconds} seconds.${busy}`
}

function measuredTable({ backends, attempts, limit }: Figures): string {
  const runs = backends.flatMap(({ name, runs: own }) => own.map((run) => ({ name, run })))
  const heads = runs.map(
    ({ name, run }) => `${name}, ${run.processes} ${run.processes === 1 ? 'process' : 'processes'}`,
  )
  const row = (name: string, value: (run: Run) => number): Row => [
    name,
    ...runs.map(({ run }) => rounded(value(run))),
  ]
  const isAnyRefused = runs.some(({ run }) => run.refusedSignIns + run.refusedCheapSignIns > 0)
  return table(
    ['in a second', ...heads],
    [
      row('pages of a signed-in user', ({ pages }) => pages),
      row('sign-ins', ({ signIns }) => signIns),
      row('sign-ins with passwords that cost a millisecond', ({ cheapSignIns }) => cheapSignIns),
      ...(isAnyRefused
        ? [
            row('sign-ins that got a 503', ({ refusedSignIns }) => refusedSignIns),
            row('those with cheap passwords that got one', ({ refusedCheapSignIns }) => refusedCheapSignIns),
          ]
        : []),
      row('reads of a session', ({ sessionReads }) => sessionReads),
      row('writes of one row', ({ writes }) => writes),
      row(
        `let through of ${attempts} wrong passwords at once; the limit is ${limit}`,
        ({ letThrough }) => letThrough,
      ),
    ],
  )
}

function millionText(figures: Figures): string {
  const { hashMilliseconds, signIn, processes } = comparedRuns(figures).withRedis
  const cores = (name: string, milliseconds: number): Row => [
    name,
    `${rounded(milliseconds)} ms`,
    `${rounded((milliseconds / 1000) * MILLION_PER_SECOND)} cores`,
  ]
  const rows: readonly Row[] = [
    cores('hash of the password', hashMilliseconds),
    cores('everything else in the application: five requests', signIn.applicationMilliseconds),
    cores('PostgreSQL', signIn.databaseMilliseconds),
    cores('Redis', signIn.redisMilliseconds),
    [
      'transactions of PostgreSQL that write',
      rounded(signIn.writes),
      `${rounded(signIn.writes * MILLION_PER_SECOND)} in a second`,
    ],
  ]
  return [
    `These are ${rounded(MILLION_PER_SECOND)} in a second. ${processes} processes on PostgreSQL and Redis used this processor time:`,
    table(['', 'one sign-in', 'a million in an hour'], rows),
  ].join('\n\n')
}

function wallText(figures: Figures): string {
  const walls = wallsOf(figures)
  const [first] = walls
  if (first === undefined) throw new RangeError('There is no wall')
  const rows = walls.map(({ what, because, signInsPerSecond }): Row => [
    what,
    because,
    perHour(signInsPerSecond),
  ])
  const share = MILLION_PER_SECOND / first.signInsPerSecond
  const reach =
    share > 1
      ? `A million in an hour needs ${rounded(share)} times as much of it.`
      : `A million in an hour uses ${rounded(100 * share)} % of it.`
  return [
    'More processes do not help where all of them wait for the same thing:',
    table(['what is full', 'measured', 'at so many sign-ins in an hour'], rows, 2),
    `The first wall is ${first.what}, at ${perHour(first.signInsPerSecond)} sign-ins in an hour. ${reach} A sign-in writes more than one row in a transaction, so it may stand nearer.`,
  ].join('\n\n')
}

function clusterText(figures: Figures): string {
  const { postgres, withRedis } = comparedRuns(figures)
  const row = (name: string, value: (run: Run) => number): Row => [
    name,
    rounded(value(postgres)),
    rounded(value(withRedis)),
  ]
  const [first] = wallsOf(figures)
  const isRedis = first?.what === 'one node of Redis'
  return [
    'Redis takes the sessions away from PostgreSQL:',
    table(
      ['', 'PostgreSQL', 'PostgreSQL and Redis'],
      [
        row('transactions that write, for a sign-in', ({ signIn }) => signIn.writes),
        row('milliseconds of PostgreSQL for a sign-in', ({ signIn }) => signIn.databaseMilliseconds),
        row('milliseconds of PostgreSQL for a page', ({ page }) => page.databaseMilliseconds),
        row('milliseconds of Redis for a sign-in', ({ signIn }) => signIn.redisMilliseconds),
        row('milliseconds of Redis for a page', ({ page }) => page.redisMilliseconds),
      ],
    ),
    `One node of Redis uses one core. It is full at ${rounded(1000 / withRedis.page.redisMilliseconds)} pages or ${rounded(1000 / withRedis.signIn.redisMilliseconds)} sign-ins in a second. A cluster carries that for each of its masters, because [sessions spread over them](session-stores.md#redis-and-valkey).`,
    isRedis
      ? 'So a cluster moves the first wall.'
      : `A cluster does not move the first wall: ${first?.what ?? ''} has nothing to do with sessions.`,
  ].join('\n\n')
}

function perHour(perSecond: number): string {
  return rounded(perSecond * HOUR_SECONDS)
}

/** @param texts How many columns are texts; the others are numbers. Default: 1. */
function table(heads: readonly string[], rows: readonly Row[], texts = 1): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = `|${heads.map((_, index) => (index < texts ? '---|' : '--:|')).join('')}`
  return [line(heads), rule, ...rows.map(line)].join('\n')
}
