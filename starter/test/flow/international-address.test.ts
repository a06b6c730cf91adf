import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Browser, type Page, PASSWORD, World } from '../support.ts'
import { newestLink } from './newcomer.ts'
import { signedIn } from './security-steps.ts'
import { confirm } from './step-up-steps.ts'

const READABLE = 'grace@bücher.example'
const SPELLINGS = [
  READABLE,
  'Grace@BÜCHER.example',
  'grace@xn--bcher-kva.example',
  'grace@XN--BCHER-KVA.example',
]

async function ask(browser: Browser, path: string, email: string): Promise<Page> {
  await browser.open(path)
  return browser.submit(path, { email })
}

/** An account whose owner typed the address as a browser sends it. */
async function signUp(world: World): Promise<void> {
  const browser = world.browser()
  await ask(browser, '/sign-up', 'grace@xn--bcher-kva.example')
  await browser.open(newestLink(world))
  assert.equal((await browser.submit(newestLink(world), { name: 'Grace', password: PASSWORD })).status, 303)
}

describe('an international address', () => {
  it('is told and shown as people read it, whichever spelling the browser sends [RA-0103]', async (test) => {
    const world = await World.create(test)
    for (const spelling of SPELLINGS.slice(0, 3)) {
      const browser = world.browser()

      await ask(browser, '/sign-up', spelling)

      assert.equal(world.mailbox.list()[0]?.to.toLowerCase(), READABLE)
      assert.match((await browser.open(newestLink(world))).html, /race@bücher\.example/)
    }
  })

  it('is one account in each spelling: signing in, signing up again and a new password find it [RA-0103]', async (test) => {
    const world = await World.create(test)
    await signUp(world)

    for (const email of SPELLINGS) {
      assert.equal((await world.browser().password({ email })).location, '/account', email)
      await ask(world.browser(), '/sign-up', email)
      assert.equal(world.mailbox.list()[0]?.subject, 'You have an account already', email)
    }
  })

  it('the link for a new password goes to the address of the account, however it was typed [RA-1602]', async (test) => {
    const world = await World.create(test)
    await signUp(world)

    for (const email of SPELLINGS) {
      await ask(world.browser(), '/forgot', email)
      const [mail] = world.mailbox.list()
      assert.deepEqual([mail?.subject, mail?.to], ['Choose a new password', READABLE], email)
    }
  })

  it('a new address is shown and told as people read it [RA-2401]', async (test) => {
    const { world, browser, person } = await signedIn(test)
    await confirm(world, browser, { person, path: '/account/address' })
    await browser.submit('/account/address', { email: 'ada@xn--mnchen-3ya.example' })
    const [mail] = world.mailbox.list()
    const link = /https:\/\/app\.test(\/address\/\S+)/.exec(mail?.text ?? '')?.[1] ?? ''

    const page = await browser.open(link)
    await browser.submit(link)

    assert.equal(mail?.to, 'ada@münchen.example')
    assert.match(page.html, /<strong>ada@münchen\.example<\/strong>/)
    assert.match((await browser.open('/account')).html, /ada@münchen\.example/)
    assert.equal((await world.browser().password({ email: 'ada@MÜNCHEN.example' })).location, '/login/2fa')
  })

  it('letters before the @ that mail servers refuse are refused in words, in both languages [FLOW-48]', async (test) => {
    const world = await World.create(test)

    const english = await ask(world.browser(), '/sign-up', 'jörg@example.com')
    const browser = world.browser()
    await browser.open('/sign-up')
    const inGerman = { headers: { 'accept-language': 'de' } }
    const german = await browser.submit('/sign-up', { email: 'jörg@example.com' }, inGerman)

    assert.deepEqual([english.status, german.status], [422, 422])
    assert.match(english.html, /Before the @, use letters without accents/)
    assert.match(german.html, /Verwenden Sie vor dem @ nur Buchstaben ohne Akzente und Umlaute/)
    assert.match(english.html, /value="jörg@example\.com"/, 'what was typed is kept')
    assert.deepEqual(world.mailbox.list(), [])
  })
})
