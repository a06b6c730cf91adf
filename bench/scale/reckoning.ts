/**
 * What follows from the figures of a run for many more people than it had.
 *
 * @module
 */
import type { Figures, Run } from './figures.ts'

/** Sign-ins in a second that the page is about: a million in an hour. */
export const MILLION_PER_SECOND: number = 1_000_000 / 3600

/** What is full at some number of sign-ins, however many processes and machines the application has. */
export interface Wall {
  readonly what: string
  /** The figures that it follows from. */
  readonly because: string
  readonly signInsPerSecond: number
}

/** The runs with most processes that the page compares. */
export interface Compared {
  readonly postgres: Run
  readonly withRedis: Run
}

/**
 * @param figures Figures of a run.
 * @returns The runs with most processes, on PostgreSQL without Redis and with it.
 * @throws {RangeError} If there is none.
 */
export function comparedRuns({ backends }: Figures): Compared {
  const largest = (name: string): Run => {
    const run = backends.find((backend) => backend.name === name)?.runs.at(-1)
    if (run === undefined) throw new RangeError(`The figures have no run on ${name}`)
    return run
  }
  return { postgres: largest('PostgreSQL'), withRedis: largest('PostgreSQL and Redis') }
}

/**
 * @param figures Figures of a run.
 * @returns What more processes do not move, the nearest first.
 */
export function wallsOf(figures: Figures): readonly Wall[] {
  const { writes, signIn } = comparedRuns(figures).withRedis
  const { cores } = figures.machine
  const walls: readonly Wall[] = [
    {
      what: 'the turn to write in PostgreSQL',
      because: `${rounded(writes)} writes in a second, ${rounded(signIn.writes)} for each sign-in`,
      signInsPerSecond: writes / signIn.writes,
    },
    {
      what: 'the processors of PostgreSQL',
      because: `${cores} cores, ${rounded(signIn.databaseMilliseconds)} ms for each sign-in`,
      signInsPerSecond: (cores * 1000) / signIn.databaseMilliseconds,
    },
    {
      what: 'one node of Redis',
      because: `one core, ${rounded(signIn.redisMilliseconds)} ms for each sign-in`,
      signInsPerSecond: 1000 / signIn.redisMilliseconds,
    },
  ]
  return walls.toSorted((one, other) => one.signInsPerSecond - other.signInsPerSecond)
}

/**
 * @param value Any number above 0.
 * @returns It with two digits that count, or three from 100 on.
 */
export function rounded(value: number): string {
  const digits = value >= 100 ? 3 : 2
  return Number(value.toPrecision(digits)).toLocaleString('en')
}
