import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'

import type { Dice } from '../mutations.ts'
import type { Plan } from './plan.ts'

const MAX_MILLISECONDS = 20_000

/** What came back on one connection. */
export interface Outcome {
  /** Status codes of the final responses, in order. */
  readonly statuses: readonly number[]
  /** Bodies of whole responses, in order. */
  readonly bodies: readonly string[]
  /** What is wrong with the bytes; null: nothing. */
  readonly fault: string | null
}

/** Statuses that a client must see, in order, as far as they can be foreseen. */
export function foreseen(plan: Plan): readonly number[] {
  const statuses: number[] = []
  let sent = 0
  for (const { text, status, isLast = false } of plan.messages) {
    sent += text.length
    if (status === null || (plan.cut !== null && sent > plan.cut)) break
    statuses.push(status)
    if (isLast) break
  }
  return statuses
}

/** Does what a plan says on one connection; those that are held are left in the list. */
export async function run(
  plan: Plan,
  port: number,
  { dice, held }: { dice: Dice; held: Socket[] },
): Promise<Outcome> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true })
  let text = ''
  socket.setEncoding('latin1').on('data', (piece: string) => (text += piece))
  socket.on('error', () => undefined)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  const ended = new Promise<void>((resolve) => socket.once('end', () => resolve()))
  if (plan.ending === 'reads nothing') socket.pause()
  const all = Buffer.from(plan.messages.map((message) => message.text).join(''), 'latin1')
  await send(socket, plan, { bytes: plan.cut === null ? all : all.subarray(0, plan.cut), dice })
  if (plan.ending === 'reads' && plan.cut === null) {
    const expected = foreseen(plan).length
    const isThere = async (): Promise<void> => {
      const until = performance.now() + MAX_MILLISECONDS
      while (parse(text).statuses.length < expected && !socket.destroyed && performance.now() < until)
        await pause(5)
    }
    await Promise.race([isThere(), ended, closed])
  } else await pause(dice.below(30))
  if (plan.ending === 'half-closes') {
    socket.end()
    await Promise.race([closed, ended, pause(500, null, { ref: false })])
  }
  if (plan.ending === 'stalls') held.push(socket)
  else if (plan.ending === 'resets') socket.resetAndDestroy()
  else socket.destroy()
  return parse(text)
}

async function send(
  socket: Socket,
  { sending }: Plan,
  { bytes, dice }: { bytes: Buffer; dice: Dice },
): Promise<void> {
  if (sending === 'at once') return void socket.write(bytes)
  const most = sending === 'byte by byte' ? 1 : Math.max(1, Math.ceil(bytes.byteLength / (1 + dice.below(6))))
  for (let start = 0; start < bytes.byteLength && !socket.destroyed;) {
    const end = start + (most === 1 ? 1 : 1 + dice.below(most))
    socket.write(bytes.subarray(start, end))
    start = end
    if (most > 1 || dice.once(10)) await pause(dice.below(3))
  }
}

/** Takes the bytes of a connection apart, as a strict client does. */
export function parse(text: string): Outcome {
  const statuses: number[] = []
  const bodies: string[] = []
  let rest = text
  while (rest !== '') {
    const blank = rest.indexOf('\r\n\r\n')
    const status = Number(/^HTTP\/1\.1 (\d{3}) [\w' -]+\r\n/.exec(rest)?.[1] ?? 0)
    if (status === 0)
      return { statuses, bodies, fault: blank === -1 ? null : `no status line: ${rest.slice(0, 60)}` }
    if (blank === -1) break
    const head = rest.slice(0, blank)
    rest = rest.slice(blank + 4)
    if (status === 100) continue
    statuses.push(status)
    const body = bodyOf(head, rest)
    if (body === null) break
    bodies.push(body.text)
    rest = rest.slice(body.length)
  }
  return { statuses, bodies, fault: null }
}

function bodyOf(head: string, rest: string): { text: string; length: number } | null {
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if (length !== undefined)
    return Number(length) > rest.length
      ? null
      : { text: rest.slice(0, Number(length)), length: Number(length) }
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return { text: '', length: 0 }
  let text = ''
  for (let start = 0; ;) {
    const line = rest.indexOf('\r\n', start)
    if (line === -1) return null
    const size = Number.parseInt(rest.slice(start, line), 16)
    const end = line + 2 + size + 2
    if (end > rest.length) return null
    if (size === 0) return { text, length: end }
    text += rest.slice(line + 2, end - 2)
    start = end
  }
}
