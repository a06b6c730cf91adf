import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { inspect } from 'node:util'
import type { App } from 'sallyport'
import type { SessionStore } from 'sallyport/session'
import type { FrozenClock } from 'sallyport/testing'
import type { Shown } from './application.ts'
import { type Answer, answerTo, type Deed, requestOf } from './deeds.ts'
import { type Model, type Token, Visit } from './model.ts'
import { differenceOf } from './records.ts'
import { leave, leaveLate, type Reply, replyDifference, type Result } from './replies.ts'
import type { Fault, Stop, Turnstile } from './turnstile.ts'
import { Witness } from './witness.ts'

/** Browsers; each has a jar of its own and two tabs that share it. */
export const JARS = 2
/** Tabs of all browsers. */
export const TABS = 4
const ORIGIN = 'http://localhost'
// Redis ends in that time what is over when it is written.
const TIMER_MILLISECONDS = 5

/** What goes wrong with a request: its answer is lost on the way, its body is cut, or the store fails. */
export type Accident = 'none' | 'lost' | 'cut' | Fault
/** Which token a form carries: of a page opened just now, of the page before, of a page of another browser, or none. */
export type TokenChoice = 'fresh' | 'stale' | 'foreign' | 'none'
/** In which order two requests come and leave; `free`: as it happens. */
export type Order = 'ABAB' | 'ABBA' | 'BAAB' | 'BABA' | 'free'

/** A request of a tab. */
export interface Asking {
  readonly tab: number
  readonly deed: Deed
  readonly token: TokenChoice
  /** Send an older identifier in place of the jar's, counted from the newest one. Default: the jar's. */
  readonly older?: number
}

/** What all runs on one store share. */
export interface Stage {
  readonly app: App
  readonly clock: FrozenClock
  readonly store: SessionStore
  readonly turnstile: Turnstile
  readonly faults: unknown[]
  /** Counts of what was done. */
  readonly counts: Record<'sequences' | 'steps' | 'requests' | 'races' | 'jumps' | 'accidents', number>
}

interface Sight {
  readonly text: string
  readonly token: Token
  readonly who: string | null
}

interface Tab {
  last: Sight | null
  before: Sight | null
}

interface Letter {
  readonly asking: Asking
  readonly sight: Sight | null
  readonly identifier: string
  /** Identifier sent, as the model names it. */
  readonly sent: number | null
}

/** One sequence: two browsers at the real application. */
export class Run {
  readonly #stage: Stage
  readonly #witness = new Witness()
  readonly #cookies = new Map<number, string>()
  readonly #tabs: Tab[] = Array.from({ length: TABS }, () => ({ last: null, before: null }))
  #serial = 0

  constructor(stage: Stage) {
    this.#stage = stage
    stage.turnstile.clear()
    stage.counts.sequences++
  }

  /** One request, with an accident or none. */
  async ask(model: Model, asking: Asking, accident: Accident = 'none'): Promise<void> {
    const letter = await this.#write(model, asking)
    if (accident === 'cut') return this.#cut(model, letter)
    if (accident !== 'none') this.#stage.counts.accidents++
    if (typeof accident === 'object') return this.#askFailing(model, letter, accident)

    const visit = new Visit(model, letter.sent)
    const reply = await this.#send(letter)
    const outcome = leave(visit, this.#answer(model, visit, letter))
    this.#judge(model, letter, { outcome, reply })
    this.#look(letter, { outcome, reply })
    if (accident !== 'lost') this.#receive(model, letter, { outcome, reply })
    await this.#compare(model)
  }

  /**
   * Two requests at once, which come and leave in an order; the last one leaves some seconds after the first, or by a
   * clock that was set back before it.
   */
  async race(model: Model, pair: readonly [Asking, Asking], order: Order, seconds: number): Promise<void> {
    this.#stage.counts.races++
    const letters = [await this.#write(model, pair[0]), await this.#write(model, pair[1])] as const
    if (order === 'free') return this.#raceFreely(model, letters)

    const [first, second] = order.startsWith('AB') ? letters : ([letters[1], letters[0]] as const)
    const visits: Visit[] = []
    const answers: Answer[] = []
    const sendings: Sending[] = []
    for (const letter of [first, second]) {
      sendings.push(await this.#sendUntilWrite(letter))
      const visit = new Visit(model, letter.sent)
      visits.push(visit)
      answers.push(this.#answer(model, visit, letter))
    }
    const turns = order === 'ABAB' || order === 'BABA' ? [0, 1] : [1, 0]
    for (const [place, turn] of turns.entries()) {
      if (place === 1) await this.move(model, seconds)
      const [letter, sending, visit, answer] = [
        [first, second][turn],
        sendings[turn],
        visits[turn],
        answers[turn],
      ]
      assert.ok(letter !== undefined && sending !== undefined && visit !== undefined && answer !== undefined)
      sending.stop.release()
      const reply = await sending.reply
      const outcome = leaveLate(model, { visit, answer, reply })
      this.#judge(model, letter, { outcome, reply })
      this.#look(letter, { outcome, reply })
      this.#receive(model, letter, { outcome, reply })
    }
    await this.#compare(model)
  }

  /** Lets time pass, or sets the clock back. */
  async move(model: Model, seconds: number): Promise<void> {
    if (Math.abs(seconds) > 300 || seconds < 0) this.#stage.counts.jumps++
    this.#stage.clock.advance(seconds)
    model.move(seconds * 1000)
    if (model.hasBrief) await pause(TIMER_MILLISECONDS)
    await this.#compare(model)
  }

  /** Compares everything that there ever was. */
  async finish(model: Model): Promise<void> {
    for (let id = 1; id <= model.lastId; id++) model.touched.add(id)
    await this.#compare(model)
    assert.deepEqual(this.#stage.faults, [])
  }

  async #write(model: Model, asking: Asking): Promise<Letter> {
    const tab = this.#tab(asking.tab)
    if (asking.deed.do !== 'page' && asking.token === 'fresh')
      await this.ask(model, { tab: asking.tab, deed: { do: 'page' }, token: 'none' })
    const other = this.#tab((asking.tab + 2) % TABS)
    const sights = { fresh: tab.last, stale: tab.before, foreign: other.last, none: null }
    const who = asking.deed.do === 'password' ? asking.deed.who : ''
    const identifier = `${who}#${this.#stage.counts.sequences}.${++this.#serial}`
    const older = asking.older === undefined ? 0 : model.lastId - asking.older
    const sent = older > 0 && this.#cookies.has(older) ? older : (model.jars[jarOf(asking.tab)] ?? null)
    return { asking, sight: sights[asking.token], identifier, sent }
  }

  #answer(model: Model, visit: Visit, { asking, sight, identifier }: Letter): Answer {
    return answerTo(visit, asking.deed, { token: sight?.token ?? null, identifier, now: model.now })
  }

  async #send(letter: Letter, body?: ReadableStream): Promise<Reply> {
    this.#stage.counts.requests++
    const askedAt = this.#witness.moment()
    const { path, fields } = requestOf(letter.asking.deed)
    const headers: Record<string, string> = { accept: 'application/json' }
    const cookie = letter.sent === null ? undefined : this.#cookies.get(letter.sent)
    if (cookie !== undefined) headers['cookie'] = `sid=${cookie}`
    const form = new URLSearchParams({
      _csrf: letter.sight?.text ?? '',
      identifier: letter.identifier,
      ...fields,
    })
    if (body !== undefined) headers['content-type'] = 'application/x-www-form-urlencoded'
    const init =
      fields === null
        ? { headers }
        : {
            method: 'POST',
            headers,
            body: body ?? form,
            ...(body === undefined ? {} : { duplex: 'half' as const }),
          }
    const response = await this.#stage.app.fetch(new Request(ORIGIN + path, init))
    const text = await response.text()
    const set = /^sid=([^;]*);/.exec(response.headers.get('set-cookie') ?? '')?.[1]
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true
    return { status: response.status, body: isJson ? JSON.parse(text) : null, cookie: set ?? null, askedAt }
  }

  // Starts a request and lets it go on until its first write, or to its end when it writes nothing.
  async #sendUntilWrite(letter: Letter): Promise<Sending> {
    const stop = this.#stage.turnstile.stopNextWrite()
    const reply = this.#send(letter)
    await Promise.race([stop.reached, reply])
    this.#stage.turnstile.clear()
    return { stop, reply }
  }

  // A body that ends with an error instead of its rest: nothing has happened, but that somebody was there.
  async #cut(model: Model, letter: Letter): Promise<void> {
    if (letter.asking.deed.do === 'page') return
    this.#stage.counts.accidents++
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('_csrf='))
        controller.error(new Error('The client is gone'))
      },
    })
    const made = this.#stage.turnstile.made.length
    const reply = await this.#send(letter, body)
    assert.deepEqual([reply.status, reply.cookie], [400, null])
    assert.equal(this.#stage.turnstile.made.length, made)
    assert.equal(new Visit(model, letter.sent).commit(), null)
    await this.#compare(model)
  }

  async #askFailing(model: Model, letter: Letter, wanted: Fault): Promise<void> {
    const { turnstile } = this.#stage
    // A restart writes twice: after the first write half of it would be done, which the model does not know.
    const fault = letter.asking.deed.do === 'restart' ? ({ ...wanted, side: 'before' } as const) : wanted
    turnstile.failNext(fault)
    const visit = new Visit(model, letter.sent)
    const reply = await this.#send(letter)
    const isMet = !turnstile.clear()
    if (isMet && fault.on === 'read') {
      assert.deepEqual([reply.status, reply.cookie], [503, null])
      return this.#compare(model)
    }
    const answer = this.#answer(model, visit, letter)
    if (!isMet) {
      const outcome = leave(visit, answer)
      this.#judge(model, letter, { outcome, reply })
      this.#look(letter, { outcome, reply })
      this.#receive(model, letter, { outcome, reply })
    } else {
      assert.deepEqual([reply.status, reply.cookie], [503, null])
      // Of two writes the first was done, of one that one.
      const cookie = fault.side === 'before' || visit.takeFromBehind() ? null : visit.commit()
      if (typeof cookie === 'number') model.bindings.digests.set(cookie, turnstile.made.at(-1) ?? '')
    }
    await this.#compare(model)
  }

  async #raceFreely(model: Model, letters: readonly [Letter, Letter]): Promise<void> {
    const replies = await Promise.all(letters.map((letter) => this.#send(letter)))
    const differences: string[] = []
    for (const order of [
      [0, 1, 0, 1],
      [0, 1, 1, 0],
      [1, 0, 0, 1],
      [1, 0, 1, 0],
      [0, 0, 1, 1],
      [1, 1, 0, 0],
    ]) {
      const candidate = model.clone()
      const difference = await this.#explain(candidate, letters, { replies, order })
      if (difference === null) {
        model.become(candidate)
        await this.#compare(model)
        return
      }
      differences.push(`${order.join('')}: ${difference}`)
    }
    assert.fail(`no order explains what two requests at once have done:\n${differences.join('\n')}`)
  }

  // Whether two replies and the records that they left come from one order of coming and leaving.
  async #explain(
    model: Model,
    letters: readonly [Letter, Letter],
    { replies, order }: { replies: readonly Reply[]; order: readonly number[] },
  ): Promise<string | null> {
    const under: (readonly [Visit, Answer])[] = []
    const done: (() => void)[] = []
    for (const index of order) {
      const [letter, reply, known] = [letters[index], replies[index], under[index]]
      assert.ok(letter !== undefined && reply !== undefined)
      if (known === undefined) {
        const visit = new Visit(model, letter.sent)
        under[index] = [visit, this.#answer(model, visit, letter)]
        continue
      }
      const outcome = leave(...known)
      const difference = replyDifference(outcome, reply)
      if (difference !== null) return difference
      this.#bind(model, { outcome, reply })
      done.push(() => {
        this.#look(letter, { outcome, reply })
        this.#receive(model, letter, { outcome, reply })
      })
    }
    const difference = await differenceOf(model, this.#stage.store)
    if (difference === null) for (const each of done) each()
    return difference
  }

  #judge(model: Model, letter: Letter, result: Result): void {
    const difference = replyDifference(result.outcome, result.reply)
    const faults = this.#stage.faults.map((fault) => inspect(fault)).join('\n')
    if (difference !== null) assert.fail(`${JSON.stringify(letter.asking)}: ${difference}\n${faults}`)
    this.#bind(model, result)
  }

  #bind(model: Model, { outcome, reply }: Result): void {
    if (typeof outcome.cookie !== 'number' || reply.cookie === null) return
    const id = reply.cookie.slice(0, 2) + hash('sha256', reply.cookie, 'base64url')
    model.bindings.digests.set(outcome.cookie, id)
  }

  // What the browser does with an answer.
  #receive(model: Model, letter: Letter, { outcome, reply }: Result): void {
    const jar = jarOf(letter.asking.tab)
    if (outcome.cookie !== null) model.jars[jar] = outcome.cookie === 'expired' ? null : outcome.cookie
    if (letter.asking.deed.do !== 'page' || outcome.answer.token === undefined) return
    const { token: text, who } = reply.body as Shown & { token: string }
    const tab = this.#tab(letter.asking.tab)
    tab.before = tab.last
    tab.last = { text, token: outcome.answer.token, who }
  }

  // What the witness sees of an answer, also of one that its browser never gets.
  #look({ asking, sight }: Letter, { outcome, reply }: Result): void {
    const { status, body, cookie, askedAt } = reply
    if (typeof outcome.cookie === 'number' && cookie !== null) this.#cookies.set(outcome.cookie, cookie)
    if (status !== 200) return
    if (asking.deed.do === 'page') return this.#witness.seePage(body as Shown, askedAt)
    const { as } = body as { as: string | null }
    this.#witness.seeForm({ madeFor: sight?.who ?? null, acceptedFor: as, askedAt })
    if (['logout', 'end', 'restart'].includes(asking.deed.do)) this.#witness.seeLogout(as)
  }

  async #compare(model: Model): Promise<void> {
    const difference = await differenceOf(model, this.#stage.store, this.#witness)
    assert.equal(difference, null)
    model.touched.clear()
  }

  #tab(index: number): Tab {
    const tab = this.#tabs[index]
    assert.ok(tab !== undefined)
    return tab
  }
}

interface Sending {
  readonly stop: Stop
  readonly reply: Promise<Reply>
}

function jarOf(tab: number): number {
  return Math.floor(tab / (TABS / JARS))
}
