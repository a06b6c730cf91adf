import assert from 'node:assert/strict'
import type { Reply, Servers } from './servers.ts'

/** How many notes a browser writes at once. */
const WRITES = 6
/** All notes of a browser: those at once, and one beside its rotation. */
const NOTES = WRITES + 1

/** What a crowd of browsers has met; everything but `rounds` should be 0. */
export interface Findings {
  rounds: number
  /** Confirmed writes that were not there afterwards. */
  lost: number
  /** Identifiers that answered as signed in after a logout. */
  revived: number
  /** Answers for somebody else, or two identifiers for one login. */
  doubled: number
  /** Identifiers from before a login or a rotation that still stood for somebody. */
  alive: number
}

/** Browsers that sign in, write, rotate and sign out at several servers at once, and look what is left. */
export class Crowd {
  readonly findings: Findings = { rounds: 0, lost: 0, revived: 0, doubled: 0, alive: 0 }
  readonly #servers: Servers
  #turn = 0

  constructor(servers: Servers) {
    this.#servers = servers
  }

  /** Has browsers go on until so many requests were sent. */
  async run(requests: number, browsers = 16): Promise<void> {
    const browser = async (number: number): Promise<void> => {
      while (this.#servers.requests < requests) await this.#round(`${number}.${this.findings.rounds++}`)
    }
    await Promise.all(Array.from({ length: browsers }, (_, number) => browser(number)))
  }

  async #round(serial: string): Promise<void> {
    const isWithFactor = this.findings.rounds % 2 === 0
    const who = `${isWithFactor ? 'ada' : 'bob'}#${serial}`
    const ids: string[] = []
    let id = await this.#signIn(who, isWithFactor, ids)

    await this.#write(id, who)
    id = await this.#rotate(id, who)
    ids.push(id)
    const last = await this.#leave(id)
    ids.push(last)

    for (const each of new Set(ids)) {
      const shown = await this.#look(each)
      if (shown.who !== null) this.findings.revived++
    }
  }

  async #signIn(who: string, isWithFactor: boolean, ids: string[]): Promise<string> {
    const first = await this.#look('')
    ids.push(first.id)
    const password = { identifier: who, password: 'right' }
    const entered = await this.#post(first.id, '/password', { ...password, _csrf: first.token })
    assert.deepEqual([entered.status, entered.cookie === null], [200, false])
    let id = entered.cookie ?? ''
    if (isWithFactor) {
      const pending = await this.#look(id)
      assert.deepEqual([pending.who, pending.pending], [null, who])
      ids.push(id)
      const proven = await this.#post(id, '/code', { code: 'right', _csrf: pending.token })
      assert.deepEqual([proven.status, proven.cookie === null], [200, false])
      id = proven.cookie ?? ''
    }
    for (const before of ids) if ((await this.#look(before)).who !== null) this.findings.alive++
    ids.push(id)
    return id
  }

  async #write(id: string, who: string): Promise<void> {
    const { token } = await this.#look(id)
    const replies = await Promise.all(
      Array.from({ length: WRITES }, (_, key) => this.#post(id, `/note/${key}`, { _csrf: token })),
    )
    for (const { status, body } of replies) {
      assert.equal(status, 200)
      if ((body as { as: string | null }).as !== who) this.findings.doubled++
    }
    const { notes } = await this.#look(id)
    this.findings.lost += WRITES - notes.length
  }

  // A rotation beside two pages and a write: one response has the new identifier, and nobody becomes somebody else.
  async #rotate(id: string, who: string): Promise<string> {
    const { token } = await this.#look(id)
    const [rotated, written, ...pages] = await Promise.all([
      this.#post(id, '/rotate', { _csrf: token }),
      this.#post(id, '/note/6', { _csrf: token }),
      this.#look(id),
      this.#look(id),
    ])
    assert.deepEqual([rotated.status, rotated.cookie === null], [200, false])
    // The form is refused when it comes with an identifier that has just ended.
    assert.ok(written.status === 200 || written.status === 403, `a write is answered with ${written.status}`)
    for (const { who: shown } of pages) if (shown !== null && shown !== who) this.findings.doubled++
    const next = rotated.cookie ?? ''
    const [old, fresh] = [await this.#look(id), await this.#look(next)]
    if (old.who !== null) this.findings.alive++
    if (fresh.who !== who) this.findings.doubled++
    if (fresh.notes.filter((key) => key < WRITES).length < WRITES) this.findings.lost++
    return next
  }

  // A logout beside a rotation and writes: whoever wins, nobody is signed in afterwards.
  async #leave(id: string): Promise<string> {
    const { token } = await this.#look(id)
    const replies = await Promise.all([
      this.#post(id, '/note/0', { _csrf: token }),
      this.#post(id, '/logout', { _csrf: token }),
      this.#post(id, '/rotate', { _csrf: token }),
      this.#post(id, '/flash', { _csrf: token }),
    ])
    const given = replies.flatMap(({ cookie }) => (cookie === null ? [] : [cookie]))
    if (given.length > 1) this.findings.doubled++
    const [, logout] = replies
    if (logout.status === 200) return given[0] ?? id

    // It came too late to see who is signed in: its browser, which has the new identifier, asks again.
    assert.equal(logout.status, 403)
    const last = given[0] ?? id
    const again = await this.#look(last)
    const left = await this.#post(last, '/logout', { _csrf: again.token })
    assert.equal(left.status, 200)
    return left.cookie ?? last
  }

  async #look(cookie: string): Promise<{
    id: string
    who: string | null
    pending: string | null
    notes: readonly number[]
    token: string
  }> {
    const page = await this.#servers.page(this.#turn++, cookie, NOTES)
    return { ...page, id: page.cookie ?? cookie }
  }

  #post(cookie: string, path: string, fields: Readonly<Record<string, string>>): Promise<Reply> {
    return this.#servers.send(this.#turn++, { path, cookie, fields })
  }
}
