import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Secret } from 'sallyport'
import { PASSWORD, type Person } from '../support.ts'
import { missingBrowser } from './chromium.ts'
import type { DomGlobals } from './dom.ts'
import { Stage } from './stage.ts'
import type { Sight, Visit } from './visit.ts'
import { World } from './world.ts'

const skip = missingBrowser ?? false
const NEW = 'a quiet orchard in the rain'
const MAX_TABS = 60

/** How somebody uses a page. */
interface Hand {
  readonly visit: Visit
  /** Types into the field of that label. */
  readonly fill: (label: string, text: string) => Promise<void>
  /** Presses the button, or follows the link, whose name begins so. */
  readonly use: (name: string) => Promise<Sight>
}

interface Story {
  readonly name: string
  readonly play: (stage: Stage, hand: Hand) => Promise<void>
}

/** The name of the element in focus, and its ring. */
async function focused({ page }: Visit): Promise<{ readonly name: string; readonly ring: string }> {
  return page.evaluate(() => {
    const { document, getComputedStyle } = globalThis as unknown as DomGlobals
    const element = document.activeElement ?? document.body
    const [label] = element.labels ?? []
    const text = element.getAttribute('aria-label') ?? (label ?? element).textContent ?? ''
    const style = getComputedStyle(element)
    return {
      name: text.replace(/\s+/g, ' ').trim(),
      ring: `${style.getPropertyValue('outline-style')} ${style.getPropertyValue('outline-width')}`,
    }
  })
}

// Goes on with Tab, as a person does, and sees at each step where the focus is.
async function reach(visit: Visit, name: string): Promise<void> {
  for (let tabs = 0; tabs <= MAX_TABS; tabs += 1) {
    const { name: here, ring } = await focused(visit)
    if (here.startsWith(name) && ring !== 'none 0px') {
      assert.equal(ring, 'solid 3px', `${name} shows its focus`)
      return
    }
    await visit.page.keyboard.press('Tab')
  }
  assert.fail(`${visit.page.url()}: Tab does not reach "${name}"`)
}

function keyboardOf(visit: Visit): Hand {
  return {
    visit,
    fill: async (label, text) => {
      await reach(visit, label)
      await visit.page.keyboard.press('Control+A')
      await visit.page.keyboard.type(text)
    },
    use: async (name) => {
      await reach(visit, name)
      return visit.press('Enter')
    },
  }
}

function mouseOf(visit: Visit): Hand {
  const { page } = visit
  return {
    visit,
    fill: (label, text) => page.getByLabel(label).first().fill(text),
    use: (name) => {
      const named = { name: new RegExp(`^${name}`) }
      const target = page.getByRole('button', named).or(page.getByRole('link', named))
      return visit.after(() => target.first().click())
    },
  }
}

async function enter(stage: Stage, hand: Hand, person: Person): Promise<void> {
  await hand.visit.open('/login')
  await hand.fill('E-mail address', person.email)
  await hand.fill('Password', PASSWORD)
  await hand.use('Continue')
  await hand.fill('Six-digit code', await stage.code(person))
  assert.equal((await hand.use('Sign in')).path, '/account')
}

/** Somebody whose session proved everything too long ago. */
async function inside(stage: Stage, hand: Hand): Promise<Person> {
  const ada = await stage.world.person('ada', { factor: 'enabled' })
  await enter(stage, hand, ada)
  stage.world.clock.advance(301)
  return ada
}

async function confirm(stage: Stage, hand: Hand, person: Person): Promise<Sight> {
  await hand.fill('Password', 'wrong')
  await hand.fill('Six-digit code', await stage.world.wrongCode(person))
  const refused = await hand.use('Confirm')
  assert.deepEqual([refused.status, refused.focus], [422, 'password'])
  assert.match(refused.alert, /The password or the code is wrong/)
  await hand.fill('Password', PASSWORD)
  await hand.fill('Six-digit code', await stage.code(person))
  return hand.use('Confirm')
}

const STORIES: readonly Story[] = [
  {
    name: 'from sign-up to the account, and in again by a code and by a recovery code',
    async play(stage, hand) {
      const { visit } = hand
      const { page } = visit
      await visit.open('/login')
      await hand.use('Create an account')
      await hand.fill('E-mail address', 'grace@example.test')
      await hand.use('Send the link')
      await visit.open(stage.link('/sign-up/confirm/'))
      await hand.fill('Your name', 'Grace')
      await hand.fill('Password', 'password1234')
      const refused = await hand.use('Create the account')
      assert.deepEqual([refused.status, refused.focus], [422, 'password'])
      await hand.fill('Password', PASSWORD)
      await hand.use('Create the account')
      const secret = new Secret((await page.locator('code.secret').innerText()).replaceAll(' ', ''))
      const grace = { id: '', email: 'grace@example.test', secret }
      await hand.fill('First code', await stage.world.wrongCode(grace))
      assert.equal((await hand.use('Continue')).focus, 'code')
      await hand.fill('First code', await stage.world.code(grace))
      await hand.use('Continue')
      const [code = ''] = await page.locator('.codes code').allInnerTexts()
      assert.equal((await hand.use('I have kept them')).path, '/account')
      await hand.use('Sign out')

      await enter(stage, hand, grace)
      await hand.use('Sign out')
      await hand.fill('E-mail address', grace.email)
      await hand.fill('Password', PASSWORD)
      await hand.use('Continue')
      await hand.use('Use this: Recovery code')
      await hand.fill('Recovery code', '0000-0000-0000')
      const wrong = await hand.use('Sign in')
      assert.deepEqual([wrong.status, wrong.focus], [422, 'code'])
      await hand.fill('Recovery code', code)
      assert.equal((await hand.use('Sign in')).path, '/account')
    },
  },
  {
    name: 'step-up and change of password',
    async play(stage, hand) {
      const ada = await inside(stage, hand)
      await hand.visit.open('/account/security')
      await hand.use('Change password')
      assert.equal((await confirm(stage, hand, ada)).path, '/account/password')
      await hand.fill('New password', 'password1234')
      const refused = await hand.use('Change password')
      assert.deepEqual([refused.status, refused.focus], [422, 'password'])
      await hand.fill('New password', NEW)
      assert.match((await hand.use('Change password')).notice, /Your password was changed/)
    },
  },
  {
    name: 'rename and remove an authenticator',
    async play(stage, hand) {
      const ada = await inside(stage, hand)
      await hand.visit.open('/account/security')
      await hand.use('Rename Authenticator app')
      await confirm(stage, hand, ada)
      await hand.fill('Name', ' ')
      assert.equal((await hand.use('Save')).focus, 'label')
      await hand.fill('Name', 'Pixel 9')
      assert.match((await hand.use('Save')).notice, /The name was saved/)
      await hand.use('Remove Pixel 9')
      assert.match((await hand.use('Remove')).notice, /was removed/)
    },
  },
  {
    name: 'a forgotten password',
    async play(stage, hand) {
      const ada = await stage.world.person('ada', { factor: 'enabled' })
      await hand.visit.open('/login')
      await hand.use('Forgot your password?')
      await hand.fill('E-mail address', ada.email)
      await hand.use('Send the link')
      await hand.visit.open(stage.link('/forgot/'))
      await hand.fill('Password', 'password1234')
      const refused = await hand.use('Set the password')
      assert.deepEqual([refused.status, refused.focus], [422, 'password'])
      await hand.fill('Password', NEW)
      assert.match((await hand.use('Set the password')).notice, /Your password has been changed/)
    },
  },
  {
    name: 'end a session',
    async play(stage, hand) {
      const ada = await inside(stage, hand)
      const other = stage.world.browser({ clientAddress: '198.51.100.7', userAgent: 'Firefox/140.0' })
      await other.signIn(ada)
      await hand.visit.open('/account/sessions')
      assert.match((await hand.use('End the session')).notice, /\S/)
      assert.equal(await other.isSignedIn(), false)
      assert.equal(await hand.visit.page.getByRole('button', { name: /^End the session/ }).count(), 0)
    },
  },
]

describe('the stories', { skip }, () => {
  const world = new World()

  for (const { name, play } of STORIES) {
    it(`RA-3103, FLOW-49: ${name}: by keyboard alone, with the focus in sight`, () =>
      Stage.use(world.browser, async (stage) => play(stage, keyboardOf(await stage.open()))))

    it(`RA-2902, RA-3103: ${name}: without script`, () =>
      Stage.use(world.browser, async (stage) =>
        play(stage, mouseOf(await stage.open({ javaScriptEnabled: false }))),
      ))
  }
})

describe('motion', { skip }, () => {
  const world = new World()

  for (const reducedMotion of ['reduce', 'no-preference'] as const)
    it(`RA-3103: of the gate and of buttons: ${reducedMotion}`, () =>
      Stage.use(world.browser, async (stage) => {
        const { page } = await stage.open({ reducedMotion, viewport: { width: 1440, height: 900 } })
        await page.goto('/login')

        const moving = await page.evaluate(() => {
          const { document, getComputedStyle } = globalThis as unknown as DomGlobals
          return [...document.querySelectorAll('body *')].filter((element) => {
            const style = getComputedStyle(element)
            const duration = style.getPropertyValue('transition-duration')
            return style.getPropertyValue('animation-name') !== 'none' || Number.parseFloat(duration) > 0
          }).length
        })

        if (reducedMotion === 'reduce') assert.equal(moving, 0)
        else assert.ok(moving > 0, 'the check sees motion where there is some')
      }))
})
