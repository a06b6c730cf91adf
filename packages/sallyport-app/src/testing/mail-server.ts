/** A mail server of a test. @module */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import { Secret } from 'sallyport'
import type { Scope } from './scope.ts'

/** What may be special about a mail server. */
export interface MailServerOptions {
  /** Whether it takes the text of a mail, and does not answer before `release()`. Default: it answers at once. */
  readonly holdsData?: boolean
}

/** A mail that a server took. */
export interface ReceivedMail {
  /** Address of the sender. */
  readonly from: string
  /** Addresses of the recipients. */
  readonly to: readonly string[]
  /** As it came. */
  readonly raw: string
  /** Without the encoding of its parts. */
  readonly decoded: string
}

/** A server that a test can ask, and tell how to answer. */
export interface MailServer {
  /** Its address, for `SmtpMailer`. */
  readonly url: Secret
  /** The mails that it took, and answered for. */
  readonly mails: ReceivedMail[]
  /** How many mails came in full, whether or not it has answered. */
  readonly arrived: () => number
  /** How many connections there were. */
  readonly connections: () => number
  /** The reply codes; 250 takes it. `breaksOff`: it closes the connection in the middle of a mail. */
  readonly answers: { recipient: number; data: number; breaksOff: boolean }
  /** Answers for the mails that it holds, and holds none any more. */
  readonly release: () => void
}

/**
 * Starts a server that takes every mail, until it is told otherwise.
 *
 * @param scope What it ends with.
 * @param options What is special about it. Default: nothing.
 * @returns The server, on a port of the loopback interface.
 */
export async function mailServer(
  scope: Scope,
  { holdsData = false }: MailServerOptions = {},
): Promise<MailServer> {
  const mails: ReceivedMail[] = []
  const answers = { recipient: 250, data: 250, breaksOff: false }
  const released = Promise.withResolvers<void>()
  if (!holdsData) released.resolve()
  let [arrived, connections] = [0, 0]
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => {
      connections += 1
      done()
    },
    onRcptTo: (_address, _session, done) => done(refusal(answers.recipient)),
    onData: (stream, session, done) => {
      if (answers.breaksOff) {
        // The session has no way to end its own connection.
        for (const connection of server.connections) connection.close()
        return
      }
      const receive = async (): Promise<void> => {
        const raw = await textOf(stream)
        arrived += 1
        await released.promise
        const { mailFrom, rcptTo } = session.envelope
        const to = rcptTo.map(({ address }) => address)
        const from = mailFrom === false ? '' : mailFrom.address
        if (answers.data === 250) mails.push({ from, to, raw, decoded: decodedOf(raw) })
        done(refusal(answers.data))
      }
      // Who is killed breaks a mail off: it has not come.
      receive().catch(() => undefined)
    },
  })
  server.on('error', () => undefined)
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  scope.after(() => server.close())
  const address = listening.address()
  assert.ok(typeof address === 'object' && address !== null)
  const url = new Secret(`smtp://127.0.0.1:${address.port}`)
  return {
    url,
    mails,
    arrived: () => arrived,
    connections: () => connections,
    answers,
    release: () => released.resolve(),
  }
}

function refusal(code: number): Error | null {
  return code === 250 ? null : Object.assign(new Error('no'), { responseCode: code })
}

async function textOf(stream: SMTPServerDataStream): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

// Quoted-printable is what its parts are in.
function decodedOf(raw: string): string {
  const joined = raw.replace(/=\r\n/g, '')
  return joined.replace(/(?:=[0-9A-F]{2})+/g, (escaped) =>
    Buffer.from(escaped.replaceAll('=', ''), 'hex').toString(),
  )
}
