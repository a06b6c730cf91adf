/**
 * The accounts that sign in.
 *
 * @module
 */
import { sql } from 'kysely'
import { SystemClock } from 'sallyport'
import { PasswordHasher } from 'sallyport/auth'
import { openStores } from 'sallyport-app/boot'
import { createApplication } from '../../starter/application.ts'
import { readEnvironment } from '../../starter/core/boot/environment.ts'
import { migrationsOf } from '../../starter/core/database/migrations.ts'
import type { Schema } from '../../starter/core/database/schema.ts'
import { PARTS } from '../../starter/parts.ts'
import { addPerson } from '../lib/account.ts'
import { cheapHasher, personPassword } from '../lib/people.ts'
import type { Backend } from './backends.ts'
import { FACTOR_KEY, type GroupOptions, ORIGIN } from './group.ts'
import type { Person } from './member.ts'

const STEP_MILLISECONDS = 30_000

/** How many accounts, by what their passwords cost. */
export type Counts = Readonly<Record<GroupOptions['passwords'], number>>

/** The accounts, of which each signs in once in a time step at most: a code counts once. */
export class People {
  readonly #people: readonly Person[]
  readonly #lastSteps = new Map<Person, number>()
  #next = 0

  private constructor(people: readonly Person[]) {
    this.#people = people
  }

  /**
   * Makes accounts.
   *
   * @param backend Where.
   * @param counts How many of each kind.
   * @returns Those of each kind.
   */
  static async make(
    { variables }: Backend,
    counts: Counts,
  ): Promise<Readonly<Record<GroupOptions['passwords'], People>>> {
    const clock = new SystemClock()
    const environment = readEnvironment(
      { NODE_ENV: 'production', ORIGIN, FACTOR_KEY, ...hasty(variables) },
      PARTS,
    )
    await using closing = new AsyncDisposableStack()
    const { database, sessions: store } = await openStores<Schema>(environment, {
      migrations: migrationsOf(PARTS),
      clock,
      closing,
    })
    if (!('DATABASE_URL' in variables)) await sql`PRAGMA synchronous = OFF`.execute(database)
    const app = await createApplication({ database, store, keys: environment.keys, clock }).boot()
    const make = async (kind: keyof Counts, hasher: PasswordHasher): Promise<People> => {
      const passwordHash = await hasher.hash(personPassword)
      const people: Person[] = []
      for (let number = 0; number < counts[kind]; number++) {
        const email = `${kind}-${number}@example.test`
        const { secret } = await addPerson(app, { email, passwordHash })
        people.push({ email, secret: secret.reveal() })
      }
      return new People(people)
    }
    return {
      cheap: await make('cheap', cheapHasher()),
      production: await make('production', new PasswordHasher()),
    }
  }

  /**
   * @returns Somebody who can sign in now.
   * @throws {RangeError} If all of them have signed in already in this time step.
   */
  next(): Person {
    const step = Math.floor(Date.now() / STEP_MILLISECONDS)
    const person = this.#people[this.#next++ % this.#people.length]
    if (person === undefined || this.#lastSteps.get(person) === step)
      throw new RangeError(`${this.#people.length} accounts are too few: give more by --people`)
    this.#lastSteps.set(person, step)
    return person
  }
}

// Nobody waits for the disk while accounts are made: they are for this run only.
function hasty(variables: Backend['variables']): Backend['variables'] {
  const { DATABASE_URL: url } = variables
  if (url === undefined) return variables
  return { ...variables, DATABASE_URL: `${url}?options=${encodeURIComponent('-c synchronous_commit=off')}` }
}
