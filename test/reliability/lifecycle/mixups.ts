/**
 * Requests of many people, interleaved, each of whom knows what answers are theirs.
 *
 * @module
 */
import assert from 'node:assert/strict'
import type { Shown } from './application.ts'
import type { Reply, Sent } from './servers.ts'

/** How many people there are. */
export const PEOPLE = 32
const AT_ONCE = 64
const KINDS = ['page', 'page', 'note', 'flash'] as const

/** Sends a request to the application. */
export type Send = (sent: Sent) => Promise<Reply>

/** Somebody who is signed in; those with an even number have a note. */
interface Person {
  readonly who: string
  readonly number: number
  readonly cookie: string
  readonly token: string
}

async function enter(send: Send, number: number): Promise<Person> {
  const who = `bob#${number}`
  const page = async (cookie: string): Promise<{ token: string; cookie: string }> => {
    const reply = await send({ path: '/page/0', cookie })
    return { token: (reply.body as { token: string }).token, cookie: reply.cookie ?? cookie }
  }
  const { token: _csrf, cookie } = await page('')
  const fields = { _csrf, identifier: who, password: 'right' }
  const entered = await send({ path: '/password', cookie, fields })
  return { who, number, ...(await page(entered.cookie ?? '')) }
}

/** Sends requests of many people, interleaved, and counts the answers that were for somebody else. */
export async function mixups(send: Send, count: number): Promise<number> {
  const people = await Promise.all(Array.from({ length: PEOPLE }, (_, number) => enter(send, number)))
  let [next, mixed] = [0, 0]
  const client = async (): Promise<void> => {
    while (next < count) {
      const index = next++
      const person = people[(index * 7) % PEOPLE]
      assert.ok(person !== undefined)
      if (!(await isOwn(send, person, KINDS[(index >> 5) % KINDS.length] ?? 'page'))) mixed++
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  return mixed
}

async function isOwn(send: Send, person: Person, kind: (typeof KINDS)[number]): Promise<boolean> {
  const { who, number, cookie, token } = person
  if (kind === 'page') {
    const { status, body, cookie: set } = await send({ path: '/page/1', cookie })
    const { who: shown, notes } = body as Shown
    return status === 200 && shown === who && set === null && (notes.length === 0 || number % 2 === 0)
  }
  const path = kind === 'note' && number % 2 === 0 ? '/note/0' : '/flash'
  const { status, body, cookie: set } = await send({ path, cookie, fields: { _csrf: token } })
  return status === 200 && (body as { as: string }).as === who && set === null
}
