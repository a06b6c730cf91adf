/** Members of four processes, on PostgreSQL and Redis, while things break. @module */
import { setTimeout as pause } from 'node:timers/promises'
import { mailServer } from '../../../packages/sallyport-app/src/testing/mail-server.ts'
import {
  type Fault,
  type Held,
  Memory,
  Pace,
  probed,
  type Tally,
} from '../../../packages/sallyport-app/src/testing/soak/index.ts'
import { Four } from './four.ts'
import { type Scope, temporary } from '../../../starter/test/support.ts'
import { type House, Interrupted } from './guest.ts'
import { live, Member } from './member.ts'

const PER_SECOND = 50
const VISITS_OF_ONE = 10
const AWAY_MILLISECONDS = 2000
const READ_AT_ONCE = 4
const TRIES = 5
/** The process that is ended and killed. The others are measured. */
const RESTARTED = 0

/** What can be done to processes and servers. */
export type Deed = 'end' | 'kill' | 'postgres' | 'redis'

/** A run. */
export class Soak {
  readonly tally: Tally
  readonly #four: Four
  readonly #house: House
  readonly #closing: AbortController
  readonly #memories: readonly Memory[]
  readonly #members: Member[] = []
  #lives: Promise<unknown> = Promise.resolve()

  private constructor(own: Opened) {
    this.#four = own.four
    this.#house = own.house
    this.#closing = own.closing
    this.#memories = own.memories
    this.tally = own.house.tally
  }

  /** @returns One whose members have begun. */
  static async begin(
    scope: Scope,
    { members, tally }: { readonly members: number; readonly tally: Tally },
  ): Promise<Soak> {
    const probes = temporary(scope)
    const mail = await mailServer(scope)
    const four = await Four.start(scope, {
      ...probed(probes),
      NODE_ENV: 'production',
      TRUSTED_PROXIES: '127.0.0.1',
      SMTP_URL: mail.url.reveal(),
      MAIL_FROM: 'accounts@app.example',
    })
    const closing = new AbortController()
    const pace = new Pace(PER_SECOND)
    const house = { url: four.url, pace, tally, mails: mail, closing: closing.signal }
    const memories = four.ports
      .filter((_, index) => index !== RESTARTED)
      .map((port) => new Memory(probes, port))
    const soak = new Soak({ four, house, closing, memories })
    soak.#lives = Promise.all(Array.from({ length: members }, (_, number) => soak.#live(number)))
    // Told by end(), at the latest.
    soak.#lives.catch(() => undefined)
    return soak
  }

  /** What members have seen or made that is to be there at the end. */
  get members(): readonly Member[] {
    return this.#members.filter(({ isThere }) => isThere)
  }

  /** Does something to a process or a server. */
  async do(deed: Deed): Promise<void> {
    const { postgres, redis } = this.#four
    const deeds: Readonly<Record<Deed, readonly [excuses: Fault['excuses'], act: () => Promise<void>]>> = {
      end: [[], () => this.#four.replace(RESTARTED)],
      kill: [[502], () => this.#four.restart(RESTARTED, 'SIGKILL')],
      postgres: [
        [503],
        () =>
          away(
            () => postgres.stop('SIGQUIT'),
            () => postgres.start(),
          ),
      ],
      redis: [
        [503],
        () =>
          away(
            () => redis.kill(),
            () => redis.start(),
          ),
      ],
    }
    const [excuses, act] = deeds[deed]
    await this.tally.during({ what: deed, excuses }, act)
  }

  /** @returns What each of the processes holds that nobody ends. */
  async held(): Promise<readonly Held[]> {
    const found: Held[] = []
    for (const [index, memory] of this.#memories.entries())
      found.push(await memory.next(() => this.#four.signal(index + 1, 'SIGUSR2')))
    return found
  }

  /**
   * Ends all stories.
   *
   * @throws {Error} If one of them has seen what must not be.
   */
  async end(): Promise<void> {
    this.#closing.abort()
    await this.#lives
    this.#house.closing = new AbortController().signal
  }

  /**
   * Signs everybody in once more.
   *
   * @throws {Error} If somebody cannot, or does not see the own account.
   */
  async readBack(): Promise<void> {
    const left = [...this.members]
    const work = async (): Promise<void> => {
      for (let member = left.pop(); member !== undefined; member = left.pop()) await again(member)
    }
    await Promise.all(Array.from({ length: READ_AT_ONCE }, work))
  }

  async #live(number: number): Promise<void> {
    const newMember = (): Member => {
      const address = `10.1.${this.#members.length >> 8}.${this.#members.length & 255}`
      const member = new Member(this.#house, address)
      this.#members.push(member)
      return member
    }
    try {
      await live(newMember, VISITS_OF_ONE + (number % VISITS_OF_ONE))
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error
    }
  }
}

interface Opened {
  readonly four: Four
  readonly house: House
  readonly closing: AbortController
  readonly memories: readonly Memory[]
}

// What is refused because the machine is busy is no loss: it is asked for again.
async function again(member: Member, tries = TRIES): Promise<void> {
  try {
    // Whether an interrupted enrollment was completed is not known.
    if (member.secret === undefined) await member.enterPassword('/account', '/login/2fa')
    else await member.signIn()
  } catch (error) {
    if (!(error instanceof Interrupted) || tries === 0) throw error
    await again(member, tries - 1)
  }
}

async function away(stop: () => Promise<void>, start: () => Promise<void>): Promise<void> {
  await stop()
  await pause(AWAY_MILLISECONDS)
  await start()
}
