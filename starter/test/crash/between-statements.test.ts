import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { Chance } from 'sallyport-app/testing'
import { ON_POSTGRES } from '../databases.ts'
import { temporary } from '../support.ts'
import { assertSurvived, type Course, courseOf } from './death.ts'
import type { Deed, Facts } from './deed.ts'
import { DEEDS } from './deeds.ts'
import { CONDITIONS } from '../conditions.ts'

const NIGHTLY = process.env['NIGHTLY'] === '1'
const SEED = Number(process.env['CRASH_SEED'] ?? Math.floor(Math.random() * 2 ** 31))
const AT_ONCE = 3
const MORTAL = fileURLToPath(new URL('mortal.ts', import.meta.url))

// Between two statements, a killed process leaves what is in its files: they are copied there, and the application starts on every
// copy. Processes that are really killed show that this is so: one of each request, at night one before each statement. Per change,
// a third of the requests dies, which ones says the seed. On PostgreSQL there are only killed processes, and per change the requests
// that use something up.
const OF_A_CHANGE: ReadonlySet<string> = new Set([
  'a code of the authenticator',
  'the link of a sign-up',
  'an authenticator in place of another',
])

function isPlayed({ name }: Deed, index: number): boolean {
  return NIGHTLY || (ON_POSTGRES ? OF_A_CHANGE.has(name) : index % 3 === SEED % 3)
}

describe('a process that dies between any two statements', () => {
  const chance = new Chance(SEED)
  for (const deed of DEEDS.filter(isPlayed))
    it(`leaves all or nothing of ${deed.name}, and its owner can go on [R-24 R-25 RA-2703]`, async (test) => {
      test.diagnostic(`play it again with CRASH_SEED=${SEED}`)
      const folder = temporary(test)
      // A database of PostgreSQL has the name of the folder.
      const folderOf = (name: string): string => join(folder, `${basename(folder)}-${name}`)
      const [data, images] = [folderOf('data'), folderOf('images')]
      for (const each of [data, images]) mkdirSync(each)
      const course = await courseOf(deed, { data, images })
      const outcomes = await Promise.all(
        imagesOf(course, chance).map((directory) => assertSurvived(deed, { ...course, directory })),
      )
      assert.deepEqual(outcomes, outcomes.toSorted(), 'once done, it stays done')
      if (!ON_POSTGRES) assert.deepEqual([outcomes[0], outcomes.at(-1)], [false, true])

      const numbers = numbersOf(course, chance)
      const kill = async (number: number): Promise<void> => {
        const directory = folderOf(`killed-${number}`)
        mkdirSync(directory)
        const facts = await killed(deed, { directory, number })
        const isDone = await assertSurvived(deed, { ...course, facts, directory })
        if (number > course.statements) assert.equal(isDone, true)
      }
      for (let first = 0; first < numbers.length; first += AT_ONCE)
        await Promise.all(numbers.slice(first, first + AT_ONCE).map(kill))
      test.diagnostic(
        `${course.statements} statements, ${course.images.length} states of the files, killed before ${numbers.join(', ')}`,
      )
    })
})

// Per change the first, the last and one between.
function imagesOf({ images }: Course, chance: Chance): readonly string[] {
  if (NIGHTLY || images.length <= 3) return images
  return [0, chance.between(1, images.length - 2), images.length - 1].flatMap((index) => images[index] ?? [])
}

function numbersOf({ statements }: Course, chance: Chance): readonly number[] {
  if (NIGHTLY) return Array.from({ length: statements + 1 }, (_, index) => index + 1)
  return [chance.between(1, statements + 1)]
}

async function killed(
  deed: Deed,
  { directory, number }: { readonly directory: string; readonly number: number },
): Promise<Facts> {
  const args = [
    ...CONDITIONS,
    '--disable-warning=ExperimentalWarning',
    MORTAL,
    directory,
    deed.name,
    String(number),
  ]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => void (output += text))
  const [, signal] = (await once(child, 'close')) as [unknown, unknown]
  assert.equal(signal, 'SIGKILL')
  return JSON.parse(output) as Facts
}
