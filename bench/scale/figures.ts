/**
 * The figures of a run: what `docs/scale.md` is made of.
 *
 * @module
 */
import { readFileSync, writeFileSync } from 'node:fs'

/** What one request, or one sign-in, takes. Milliseconds are processor time. */
export interface Cost {
  /** Of the processes of the application, without hashes of passwords. */
  readonly applicationMilliseconds: number
  /** Of PostgreSQL; 0 for SQLite, which works in the processes. */
  readonly databaseMilliseconds: number
  readonly redisMilliseconds: number
  /** Transactions of PostgreSQL that write. */
  readonly writes: number
}

/** What some processes did on one backend. */
export interface Run {
  readonly processes: number
  /** Pages of somebody who is signed in, in a second. */
  readonly pages: number
  readonly pageP99Milliseconds: number
  /** Sign-ins in a second, with passwords as in production. */
  readonly signIns: number
  /** The same with passwords that cost about a millisecond: what everything else carries. */
  readonly cheapSignIns: number
  /** Sign-ins in a second that got a 503, because too many others waited: of the first kind, and of the second. */
  readonly refusedSignIns: number
  readonly refusedCheapSignIns: number
  /** Reads of a session in a second. */
  readonly sessionReads: number
  /** Rows written one after the other in a second. */
  readonly writes: number
  /** How many of the wrong passwords that came at once were counted. */
  readonly letThrough: number
  readonly page: Cost
  readonly signIn: Cost
  /** Processor time of the hash of one password. */
  readonly hashMilliseconds: number
}

/** All of a run. */
export interface Figures {
  /** Day of the run. */
  readonly date: string
  readonly machine: {
    readonly processor: string
    readonly cores: number
    readonly memoryGibibytes: number
    readonly system: string
    /** How many processes waited for a processor on average, in the minute before. */
    readonly loadBefore: number
  }
  readonly versions: Readonly<Record<string, string>>
  /** How long each thing was measured. */
  readonly seconds: number
  /** Wrong passwords for one address that were sent at once, and how many the limit lets through. */
  readonly attempts: number
  readonly limit: number
  readonly backends: readonly { readonly name: string; readonly runs: readonly Run[] }[]
}

const FILE = new URL('../results/scale.json', import.meta.url)

/** @returns The figures of the last run that was kept. */
export function readFigures(): Figures {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Figures
}

/** Keeps figures. */
export function writeFigures(figures: Figures): void {
  writeFileSync(FILE, `${JSON.stringify(figures, undefined, 2)}\n`)
}
