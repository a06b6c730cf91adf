import type { Dice } from '../mutations.ts'

const HOST = 'Host: app.test'
const FORM = 'Content-Type: application/x-www-form-urlencoded'

/** One message of a client, and whether it is answered by exactly one response of this status. */
export interface Message {
  readonly text: string
  /** Status of its answer; null when it depends on what arrives in time. */
  readonly status: number | null
  /** Whether the connection may end with it. Default: false. */
  readonly isLast?: boolean
}

/** How a client sends what it has. */
export type Sending = 'at once' | 'in pieces' | 'byte by byte'

/** What a client does when it has sent all, or so much. */
export type Ending = 'reads' | 'half-closes' | 'resets' | 'destroys' | 'stalls' | 'reads nothing'

/** What one connection does. */
export interface Plan {
  readonly messages: readonly Message[]
  readonly sending: Sending
  readonly ending: Ending
  /** Bytes after which it ends; null: all are sent. */
  readonly cut: number | null
}

/** Makes what one connection does. */
export function planOf(dice: Dice): Plan {
  const made = Array.from({ length: dice.once(3) ? 1 + dice.below(12) : 1 }, (_, i) => messageOf(dice, i))
  // Its answer announces a length without a body to come: whoever reads the bytes would take the next answer for it.
  const head = made.findIndex(({ text }) => text.startsWith('HEAD '))
  const messages = head === -1 ? made : made.slice(0, head + 1)
  const text = messages.map((message) => message.text).join('')
  return {
    messages,
    sending:
      text.length < 600 && dice.once(8) ? 'byte by byte' : dice.pick(['at once', 'at once', 'in pieces']),
    ending: dice.pick([
      'reads',
      'reads',
      'reads',
      'half-closes',
      'resets',
      'destroys',
      'stalls',
      'reads nothing',
    ]),
    cut: dice.once(4) ? dice.below(text.length + 1) : null,
  }
}

function messageOf(dice: Dice, place: number): Message {
  return dice.pick(MAKERS)(dice, place)
}

type Maker = (dice: Dice, place: number) => Message

function get(path: string, status: number | null, more = ''): Message {
  return { text: `GET ${path} HTTP/1.1\r\n${HOST}\r\n${more}\r\n`, status }
}

function announced(path: string, body: string, status: number | null, more = ''): Message {
  const head = `POST ${path} HTTP/1.1\r\n${HOST}\r\n${FORM}\r\n${more}Content-Length: ${body.length}\r\n\r\n`
  return { text: head + body, status }
}

function chunked(path: string, chunks: string, status: number | null, more = ''): Message {
  const head = `POST ${path} HTTP/1.1\r\n${HOST}\r\n${FORM}\r\n${more}Transfer-Encoding: chunked\r\n\r\n`
  return { text: head + chunks, status }
}

function chunksOf(dice: Dice, body: string): string {
  let text = ''
  for (let start = 0; start < body.length;) {
    const piece = body.slice(start, start + 1 + dice.below(dice.once(2) ? 3 : 400))
    const extension = dice.once(20) ? `;${'e'.repeat(dice.below(20))}=1` : ''
    text += `${piece.length.toString(16)}${extension}\r\n${piece}\r\n`
    start += piece.length
  }
  return `${text}0\r\n${dice.once(10) ? 'X-Trailer: 1\r\n' : ''}\r\n`
}

function bodyOf(dice: Dice): string {
  return `a=${'b'.repeat(dice.once(12) ? dice.below(150_000) : dice.below(300))}`
}

const PATHS = ['/echo', '/form', '/ignore'] as const
const READING = ['/echo', '/form'] as const

const MAKERS: readonly [Maker, ...Maker[]] = [
  (_dice, place) => get(`/number?${place}`, 200),
  (_dice, place) => get(`/number?${place}`, 200),
  () => get('/later', 200),
  () => get('/page', 200),
  () => get('/stream', 200),
  () => get('/nowhere', 404),
  () => ({ ...get('/', 200, 'Connection: close\r\n'), isLast: true }),
  (dice) => announced(dice.pick(READING), bodyOf(dice), 200),
  (dice) => ({ ...announced('/ignore', bodyOf(dice), 200), isLast: true }),
  (dice) => announced('/nowhere', bodyOf(dice), null),
  (dice) => chunked(dice.pick(PATHS), chunksOf(dice, bodyOf(dice)), 200),
  (dice) => chunked('/nowhere', chunksOf(dice, bodyOf(dice)), 404),
  (dice) => announced(dice.pick(PATHS), bodyOf(dice), null, 'Expect: 100-continue\r\n'),
  (dice) => chunked(dice.pick(PATHS), chunksOf(dice, bodyOf(dice)), null, 'Expect: 100-continue\r\n'),
  () => get('/', null, 'Expect: 200-ok\r\n'),
  () => ({ text: `CONNECT a:1 HTTP/1.1\r\n${HOST}\r\n\r\n`, status: null }),
  () => get('/', null, 'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n'),
  () => get('/gone', null),
  (dice) => chunked(dice.pick(PATHS), `${dice.pick(['zz', '-1', 'fffffffff', ''])}\r\nabc\r\n`, null),
  (dice) => chunked(dice.pick(PATHS), `${(2 ** 21).toString(16)}\r\n${'c'.repeat(100_000)}`, null),
  (dice) => announced(dice.pick(PATHS), '', null, 'Content-Length: 99999999\r\n'),
  () => ({ text: 'NOT HTTP AT ALL\r\n\r\n', status: null }),
  (dice) => ({ text: dice.some(40, () => String.fromCodePoint(dice.below(256))), status: null }),
  () => get('/', null, `X-Long: ${'l'.repeat(17_000)}\r\n`),
  () => ({ text: 'GET / HTTP/1.1\r\n\r\n', status: null }),
  () => ({ text: `GET / HTTP/1.0\r\n\r\n`, status: null }),
  () => ({ text: `TRACE / HTTP/1.1\r\n${HOST}\r\n\r\n`, status: null }),
  () => ({ text: `HEAD /page HTTP/1.1\r\n${HOST}\r\n\r\n`, status: null }),
]
