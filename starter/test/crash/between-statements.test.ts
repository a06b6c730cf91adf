import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
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

// At night a process dies before each statement of each request. Per change, it is a third of the requests, and on PostgreSQL those
// that use something up: a process dies before one statement and after the last, and which ones says the seed.
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
      const course = await courseOf(deed)
      const numbers = numbersOf(course, chance)
      const survived = async (number: number): Promise<boolean> => {
        const directory = temporary(test)
        const facts = await killed(deed, { directory, number })
        return assertSurvived(deed, { directory, facts, course })
      }
      const outcomes: boolean[] = []
      for (let first = 0; first < numbers.length; first += AT_ONCE)
        outcomes.push(...(await Promise.all(numbers.slice(first, first + AT_ONCE).map(survived))))

      assert.deepEqual(outcomes, outcomes.toSorted(), 'once done, it stays done')
      assert.equal(outcomes.at(-1), true)
      test.diagnostic(`${course.statements} statements, killed before ${numbers.join(', ')}`)
    })
})

function numbersOf({ statements }: Course, chance: Chance): readonly number[] {
  if (NIGHTLY) return Array.from({ length: statements + 1 }, (_, index) => index + 1)
  return [chance.between(1, statements), statements + 1]
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
