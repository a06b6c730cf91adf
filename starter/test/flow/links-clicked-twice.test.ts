import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AUTHENTICATOR_LIMIT } from '../../identity/limits/limits.ts'
import { type Browser, type Page, type Person, World } from '../support.ts'
import { confirm } from './step-up-steps.ts'

const TWICE = /If you clicked twice, the first click may have done it already\./
const GERMAN = /Wenn Sie zweimal geklickt haben, ist es vielleicht schon beim ersten Klick geschehen\./
const FIELDS = { name: 'Eve', password: 'a quiet orchard in the rain' }

interface Scene {
  readonly world: World
  readonly ada: Person
  /** Of nobody. */
  readonly browser: Browser
}

interface Sent {
  /** Has the link sent; returns the link if no mail has it. */
  readonly send: (scene: Scene) => Promise<unknown>
  /** How the address of the link begins. */
  readonly start: string
  /** Where its owner can look. */
  readonly look: RegExp
  readonly fields?: Readonly<Record<string, string>>
}

async function asked({ browser, ada }: Scene, path: string, email = ada.email): Promise<void> {
  await browser.open(path)
  await browser.submit(path, { email })
}

async function signedIn({ world, ada }: Scene, path: string): Promise<Browser> {
  const browser = world.browser()
  await browser.signIn(ada)
  world.clock.advance(30)
  await confirm(world, browser, { person: ada, path })
  return browser
}

async function lost({ world, ada }: Scene): Promise<void> {
  const browser = world.browser()
  await browser.password(ada)
  await browser.open('/lost')
  await browser.submit('/lost')
}

async function moved(scene: Scene): Promise<void> {
  const inside = await signedIn(scene, '/account/address')
  await inside.submit('/account/address', { email: 'new@example.test' })
}

const LINKS: Readonly<Record<string, Sent>> = {
  'a new password': {
    send: (scene) => asked(scene, '/forgot'),
    start: '/forgot',
    look: /Try to sign in with the password that you chose/,
    fields: FIELDS,
  },
  'a new account': {
    send: (scene) => asked(scene, '/sign-up', 'eve@example.test'),
    start: '/sign-up/confirm',
    look: /Try to sign in with the password that you chose/,
    fields: FIELDS,
  },
  'the first password of an account': {
    send: async ({ world }) => {
      const by = { kind: 'operator', name: 'olga' } as const
      const grace = { email: 'grace@example.test', name: 'Grace', permissions: [] }
      const { token } = await world.identity.administration.accounts.add(
        { by, reason: 'new colleague' },
        grace,
      )
      return `/set-up/${token}`
    },
    start: '/set-up',
    look: /Try to sign in with the password that you chose/,
    fields: FIELDS,
  },
  'an unlocked browser': {
    send: async ({ world, ada }) => {
      for (let times = 0; times < AUTHENTICATOR_LIMIT.failures; times += 1) {
        const attacker = world.browser()
        await attacker.password(ada)
        await attacker.code(await world.wrongCode(ada))
      }
    },
    start: '/unlock',
    look: /Sign in to see whether/,
  },
  'a lost second step': { send: lost, start: '/lost/confirm', look: /Sign in to see whether/ },
  'the stop of a recovery': {
    send: async (scene) => {
      await lost(scene)
      await follow(scene, '/lost/confirm')
    },
    start: '/lost/cancel',
    look: /Sign in to see whether/,
  },
  'an objection': {
    send: async (scene) => {
      await moved(scene)
      await follow(scene, '/address/confirm')
    },
    start: '/not-me',
    look: /Sign in to see and end the sessions/,
  },
  'the stop of a deletion': {
    send: async (scene) => {
      const inside = await signedIn(scene, '/account/delete')
      await inside.submit('/account/delete', { email: scene.ada.email })
    },
    start: '/deletion/stop',
    look: /Sign in to make sure: that keeps the account, too/,
  },
  'a new address': {
    send: moved,
    start: '/address/confirm',
    look: /Sign in to see which address your account has/,
  },
  'the former address': {
    send: async (scene) => {
      await moved(scene)
      await follow(scene, '/address/confirm')
    },
    start: '/address/restore',
    look: /Sign in to see which address your account has/,
  },
}

function linkOf({ world }: Scene, start: string): string {
  const pattern = new RegExp(`https://app\\.test(${start}/[\\w-]{43})`)
  const links = world.mailbox.list().map(({ text }) => pattern.exec(text)?.[1])
  return links.find(Boolean) ?? ''
}

async function follow(scene: Scene, start: string): Promise<Page> {
  const browser = scene.world.browser()
  const link = linkOf(scene, start)
  await browser.open(link)
  return browser.submit(link)
}

describe('the form of a link in a mail that is sent a second time', () => {
  for (const [name, { send, start, look, fields }] of Object.entries(LINKS))
    it(`${name}: the page says that the first click may have done it, and where to look [RA-2801]`, async (test) => {
      const world = await World.create(test)
      const ada = await world.person('ada', { factor: 'enabled' })
      const scene = { world, ada, browser: world.browser() }
      const told = await send(scene)
      const link = typeof told === 'string' ? told : linkOf(scene, start)
      assert.equal((await scene.browser.open(link)).status, 200, link)
      const late = scene.browser.twin()

      const answers = await Promise.all([scene.browser, late].map((each) => each.submit(link, fields)))
      const [first, second] = answers.toSorted((one, other) => one.status - other.status)
      const german = await late.open(link, { headers: { 'accept-language': 'de' } })

      assert.ok(first !== undefined && second !== undefined)
      assert.ok([200, 303].includes(first.status), String(first.status))
      assert.equal(second.status, 410)
      assert.match(second.html, TWICE)
      assert.match(second.html, look)
      assert.match(german.html, GERMAN)
      assert.deepEqual(world.faults, [])
    })
})
