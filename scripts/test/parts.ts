/**
 * The parts of the tests, and which file belongs to which.
 *
 * @module
 */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Test files that run in the same way. */
export interface Part {
  readonly name: string
  /** What it is about, for the table of what the tests cost. */
  readonly about: string
  /** Whether `npm test` has it; `npm run test:all` has every part. */
  readonly isQuick: boolean
  /** How many files share a process at most. */
  readonly filesPerProcess: number
  /** Whether its files measure: then nothing runs beside them. */
  readonly isAlone: boolean
  /** The files. The first part that has a file is its part. */
  readonly files: RegExp
}

const isNight = process.env['NIGHTLY'] === '1'
const testFolders = ['test', 'packages/sallyport-app/test', 'starter/test', 'starter/core', 'starter/parts']

// In the order in which they run: what takes long begins first.
const table: readonly Part[] = [
  {
    name: 'removals',
    about: 'a copy of the starter without each of its parts, and without any',
    isQuick: false,
    filesPerProcess: 1,
    isAlone: false,
    files: /^test\/scripts\/starter-parts\./,
  },
  {
    name: 'story',
    about: 'one story in Chromium: sign up, second factor, sign out; keyboard and axe',
    isQuick: true,
    filesPerProcess: 1,
    isAlone: false,
    files: /^starter\/test\/browser\/story\.test\.ts$/,
  },
  {
    name: 'browser',
    about: 'pages, stories and passkeys in Chromium',
    isQuick: false,
    filesPerProcess: 8,
    isAlone: false,
    files: /\.browser\.test\.ts$|^starter\/test\/browser\//,
  },
  {
    name: 'measures',
    about: 'time, memory and load',
    isQuick: false,
    filesPerProcess: 1,
    isAlone: true,
    files:
      /\.(time|size|load|garbage)\.test\.ts$|^test\/reliability\/(load|timing|workers|parsers|password-time|failures\.processes)|^test\/attacks\/(load|throttling)\./,
  },
  {
    name: 'models',
    about: 'random sequences against a model, races at many distances, and what is sent to break it',
    isQuick: false,
    filesPerProcess: 1,
    isAlone: false,
    files:
      /^test\/reliability\/(?!starter\/)|^starter\/test\/flow\/(model|vanishing-account|faults|json-clients|ended-meanwhile)\./,
  },
  {
    name: 'processes',
    about: 'the starter as real processes: begun, killed, several at once; a cluster that fails over',
    isQuick: false,
    filesPerProcess: 1,
    isAlone: false,
    files: /^starter\/test\/(start|crash|processes)\/|^test\/session\/redis-cluster\./,
  },
  {
    name: 'servers',
    about: 'the flow tests of the starter on PostgreSQL and Redis, and four processes as one',
    isQuick: false,
    filesPerProcess: 1,
    isAlone: false,
    files: /^starter\/test\/servers\/|^test\/reliability\/starter\/(?!soak\.)/,
  },
  {
    name: 'soak',
    about:
      'members of four processes while processes and servers break: half a minute, and at night half an hour',
    isQuick: false,
    filesPerProcess: 1,
    // At night what must not be refused counts, and a busy machine refuses.
    isAlone: isNight,
    files: /^test\/reliability\/starter\/soak\./,
  },
  {
    name: 'stores',
    about: 'sessions in Redis, Valkey and PostgreSQL',
    isQuick: true,
    filesPerProcess: 4,
    isAlone: false,
    files: /^test\/session\/(redis|postgres)/,
  },
  {
    name: 'guides',
    about:
      'guides, docstrings, exports, settings of the project, and the smallest project that is made of it',
    isQuick: true,
    filesPerProcess: 20,
    isAlone: false,
    files:
      /^test\/scripts\/(api-surface|changelog|conformance|create-(?:budgets|minimal|questions)|docstring-examples|guide-code|guide-facts|guides|mutation|readme|toolchain)\./,
  },
  {
    name: 'hosts',
    about:
      'one program and the framework’s tests on other runtimes and in other frameworks; the bridge of the guide',
    isQuick: false,
    // They share their installations.
    filesPerProcess: 10,
    isAlone: false,
    files: /^test\/hosts\/(hosts|suite)\./,
  },
  {
    name: 'packages',
    about: 'the packed package, programs of the guides, examples, scripts',
    isQuick: false,
    filesPerProcess: 1,
    isAlone: false,
    files: /^test\/(scripts|examples|hosts|cli)\/|^test\/inspection\/route-types\./,
  },
  {
    name: 'starter',
    about: 'the starter, by its test client',
    isQuick: true,
    filesPerProcess: 12,
    isAlone: false,
    files: /^starter\//,
  },
  {
    name: 'plumbing',
    about: 'what applications have under them, without one: database, emails, limits, settings',
    isQuick: true,
    filesPerProcess: 12,
    isAlone: false,
    files: /^packages\/sallyport-app\//,
  },
  {
    name: 'attacks',
    about: 'attacks that must fail',
    isQuick: true,
    filesPerProcess: 20,
    isAlone: false,
    files: /^test\/attacks\//,
  },
  {
    name: 'framework',
    about: 'the framework',
    isQuick: true,
    filesPerProcess: 60,
    isAlone: false,
    files: /^test\//,
  },
]

/** All parts, in the order in which they run. */
export const parts: readonly Part[] = table

/**
 * The part that a test file belongs to.
 *
 * @param file Path below the root.
 * @returns The part.
 * @throws {RangeError} If no part has the file.
 */
export function partOf(file: string): Part {
  const part = parts.find(({ files }) => files.test(file))
  if (part === undefined) throw new RangeError(`No part of the tests has ${file}: see scripts/test/parts.ts`)
  return part
}

/**
 * All test files. Those whose name ends with `.night.test.ts` run at night, or when they are named.
 *
 * @param root Folder of the checkout.
 * @param hasNight Whether those of the night are wanted. Default: at night.
 * @returns Paths below it, sorted.
 */
export function findTestFiles(root: string, hasNight: boolean = isNight): string[] {
  return testFolders
    .filter((folder) => existsSync(join(root, folder)))
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
        (file) => `${folder}/${file.replaceAll('\\', '/')}`,
      ),
    )
    .filter((file) => file.endsWith('.test.ts') && (hasNight || !file.endsWith('.night.test.ts')))
    .toSorted()
}

/**
 * Divides files among processes.
 *
 * @param files The files.
 * @param size How many share a process at most.
 * @returns Groups of about the same size.
 */
export function chunksOf(files: readonly string[], size: number): string[][] {
  const count = Math.ceil(files.length / size)
  const chunks: string[][] = Array.from({ length: count }, () => [])
  // Neighbors are alike: dealt out, no process gets all that are slow.
  for (const [index, file] of files.entries()) chunks[index % count]?.push(file)
  return chunks
}
