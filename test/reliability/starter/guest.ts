/** A browser that says what it expects of each request. @module */
import { setTimeout as pause } from 'node:timers/promises'
import { type Answer, Visitor } from '../../../packages/sallyport-app/src/testing/index.ts'
import type { MailServer } from '../../../packages/sallyport-app/src/testing/mail-server.ts'
import type { Pace, Tally } from '../../../packages/sallyport-app/src/testing/soak/index.ts'

/** What all guests of a soak have in common. */
export interface House {
  readonly url: string
  readonly pace: Pace
  readonly tally: Tally
  /** Gets the mails that it sends. */
  readonly mails: Pick<MailServer, 'mails'>
  /** Ends all stories. */
  closing: AbortSignal
}

/** A request has not done what it was to do: what it would have changed may be changed or not. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted'
}

/** Where a form leads; a number is the status of the page that shows it again. */
export type Outcome = string | number

const AGAIN_MILLISECONDS = 250
const UNAVAILABLE = 503
// A proxy tells that no answer came.
const BROKEN = 502

/** One browser at one address. */
export class Guest {
  readonly #house: House
  readonly #visitor: Visitor
  readonly #address: string

  /** @param address Of the client. Limits tell clients apart by it. */
  constructor(house: House, address: string) {
    this.#house = house
    this.#address = address
    this.#visitor = new Visitor(house.url)
  }

  /**
   * Opens a page, and waits for it where a server is away: whoever was signed in is so afterwards.
   *
   * @param status What it is to be. Default: 200.
   * @throws {Interrupted} If it is something else.
   */
  async open(path: string, { status = 200, headers = {} }: Opening = {}): Promise<Answer> {
    for (;;) {
      const visit = await this.#ask(`GET ${path}`, status, () =>
        this.#visitor.open(path, this.#with(headers)),
      )
      if (visit.status === status) return visit
      if (visit.status !== UNAVAILABLE) throw new Interrupted(`GET ${path}: ${visit.status}`)
      await pause(AGAIN_MILLISECONDS)
    }
  }

  /**
   * Sends a form, once.
   *
   * @param outcomes What may come of it.
   * @returns Which of them did.
   * @throws {Interrupted} If something else did.
   */
  async submit(path: string, fields: Fields, ...outcomes: readonly Outcome[]): Promise<Outcome> {
    const visit = await this.#ask(`POST ${path}`, outcomes, () =>
      this.#visitor.submit(path, fields, this.#with({})),
    )
    const outcome = outcomeOf(visit, outcomes)
    if (outcome === undefined) throw new Interrupted(`POST ${path}: ${visit.status} ${visit.location}`)
    return outcome
  }

  /** Sends a form whose page shows something this once. */
  async reveal(path: string, fields: Fields): Promise<string> {
    const visit = await this.#ask(`POST ${path}`, [200], () =>
      this.#visitor.submit(path, fields, this.#with({})),
    )
    if (visit.status !== 200) throw new Interrupted(`POST ${path}: ${visit.status}`)
    return visit.html
  }

  async #ask(
    what: string,
    expected: number | readonly Outcome[],
    send: () => Promise<Answer>,
  ): Promise<Answer> {
    const { pace, tally, closing } = this.#house
    closing.throwIfAborted()
    await pace.turn()
    const from = performance.now()
    const visit = await send().catch((): Answer => ({ status: BROKEN, location: null, html: '' }))
    if (outcomeOf(visit, [expected].flat()) !== undefined) tally.answered()
    else
      tally.missed({ what: `${what} → ${visit.location}`, status: visit.status, from, to: performance.now() })
    return visit
  }

  #with(headers: Fields): Fields {
    return { 'x-forwarded-for': this.#address, ...headers }
  }
}

type Fields = Readonly<Record<string, string>>

interface Opening {
  readonly status?: number
  readonly headers?: Fields
}

function outcomeOf({ status, location }: Answer, outcomes: readonly Outcome[]): Outcome | undefined {
  return outcomes.find((outcome) => outcome === status || outcome === location)
}
