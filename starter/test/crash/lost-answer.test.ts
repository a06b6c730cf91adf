import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Answer } from 'sallyport-app/testing'
import { temporary } from '../support.ts'
import { Client } from './client.ts'
import { StarterProcess } from './starter-process.ts'

const STEPS = ['password', 'code', 'logout'] as const

// The browser never got the new cookie: the network broke, or a second click cancelled the first request. It goes on
// with the old one, whose session was ended by the request that it knows nothing of.
describe('a response that never arrives', () => {
  for (const step of STEPS) {
    it(`after the ${step}: the same browser can sign in at once`, async (test) => {
      const client = await begin(test)
      let cookies = client.cookies
      const remember = (): void => void (cookies = client.cookies)
      await client.open('/login')
      remember()
      await client.passPassword()
      if (step !== 'password') {
        remember()
        await client.tryCode(await client.authenticator.next())
        assert.equal(client.isConfirmed, true)
      }
      if (step === 'logout') {
        remember()
        await client.leave()
      }

      const left = client.withCookies(cookies)
      const answer = await passPasswordInTwoTries(left)

      assert.deepEqual([answer.status, answer.location], [303, '/login/2fa'])
      assert.equal((await left.open('/login/2fa')).status, 200)
    })
  }
})

// A form whose page is out of date may be shown again once, with a word about it; a person can live with that.
async function passPasswordInTwoTries(client: Client): Promise<Answer> {
  const { email, password } = client.person
  await client.open('/login')
  const first = await client.submit('/login', { email, password })
  if (first.location === '/login/2fa') return first
  if (first.location !== null) await client.open(first.location)
  return client.submit('/login', { email, password })
}

async function begin(test: TestContext): Promise<Client> {
  const starter = await StarterProcess.start({ directory: temporary(test) })
  test.after(() => starter.stop())
  return new Client(starter.demo, { origin: starter.url, address: '' })
}
