/** The first pages that anybody sees: signing in, signing up, and what refuses. @module */
import { sql } from 'kysely'
import { Secret } from 'sallyport'
import { EVERY_PERMISSION } from '../../support.ts'
import type { Scene } from '../stage.ts'

const signingIn: Scene = {
  name: 'signing in, with mistakes',
  shows: ['/', '/account', '/login', '/login/2fa'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    await stage.show(visit, '/', 'home')
    await stage.show(visit, '/login', 'login')
    await visit.enterPassword(ada, 'wrong')
    await stage.look(visit, 'login-refused')
    await stage.enterPassword(visit, ada)
    await stage.look(visit, 'challenge')
    await stage.show(visit, '/login', 'login-while-pending')
    await visit.open('/login/2fa')
    const wrong = await stage.world.wrongCode(ada)
    await visit.enterCode(wrong)
    await stage.look(visit, 'challenge-refused')
    for (let tries = 0; tries < 4; tries += 1) await visit.enterCode(wrong)
    await stage.look(visit, 'challenge-spent')
    await stage.enterPassword(visit, ada)
    await visit.click('button', 'Cancel and start over')
    await stage.look(visit, 'challenge-cancelled')
    await visit.open('/login')
    await visit.page.context().clearCookies()
    await visit.enterPassword(ada, 'wrong')
    await stage.look(visit, 'login-late')
    await stage.signIn(visit, ada)
    await stage.look(visit, 'account')
    await stage.show(visit, '/', 'home-inside')
  },
}

const signingUp: Scene = {
  name: 'from signing up to a sign-in by a recovery code',
  shows: ['/account', '/account/recovery-codes', '/enroll', '/login/2fa/recovery'],
  async play(stage) {
    const visit = await stage.open()
    const { page } = visit
    await visit.open('/sign-up')
    await page.getByLabel('Email address').fill('grace@example.test')
    await visit.click('button', 'Send the link')
    await visit.open(stage.link('/sign-up/confirm/'))
    await page.getByLabel('Your name').fill('Grace Hopper')
    await page.getByLabel('Password').fill('GraceHopper1906')
    await visit.click('button', 'Create the account')
    await stage.look(visit, 'sign-up-password-refused')
    const password = 'nanoseconds of copper wire'
    await page.getByLabel('Password').fill(password)
    await visit.click('button', 'Create the account')
    await stage.look(visit, 'enroll')
    const secret = (await page.locator('code.secret').innerText()).replaceAll(' ', '')
    const grace = { id: '', email: 'grace@example.test', secret: new Secret(secret) }
    await page.getByLabel('First code').fill(await stage.world.wrongCode(grace))
    await visit.click('button', 'Continue')
    await stage.look(visit, 'enroll-refused')
    await page.getByLabel('First code').fill(await stage.code(grace))
    await visit.click('button', 'Continue')
    await stage.look(visit, 'recovery-codes')
    const code = await page.locator('.codes code').first().innerText()
    await stage.show(visit, '/enroll', 'recovery-codes-again')
    await visit.click('button', "I've saved them")
    await stage.look(visit, 'account-of-newcomer')
    await visit.click('link', 'Create new codes')
    await stage.look(visit, 'recovery-codes-left')
    await visit.open('/logout')
    await visit.page.locator('main button').click()
    await visit.open('/login')
    await visit.enterPassword(grace, password)
    await visit.click('link', 'Use this: Recovery code')
    await stage.look(visit, 'recovery')
    await visit.enterCode('0000-0000-0000')
    await stage.look(visit, 'recovery-refused')
    await visit.enterCode(code)
    await stage.look(visit, 'account-after-recovery')
    await stage.show(visit, '/sign-up/confirm/outdated', 'sign-up-outdated')
  },
}

const refusals: Scene = {
  name: 'what is not there, what comes too often, and a fault of the starter',
  shows: ['/login'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled', permissions: EVERY_PERMISSION })
    const [inside, outside] = [await stage.open(), await stage.open()]
    await stage.show(outside, '/nothing-here', 'error-404')
    await outside.open('/login')
    for (let tries = 0; tries < 12 && (await outside.sight()).status !== 429; tries += 1)
      await outside.enterPassword({ email: 'somebody@example.test' }, 'wrong')
    await stage.look(outside, 'login-429')
    await stage.show(outside, '/login', 'login-after-429')
    await stage.signIn(inside, ada)
    await sql`ALTER TABLE event RENAME TO event_gone`.execute(stage.world.database)
    await stage.show(inside, '/account', 'error-500')
    // The only fault of a scene that is meant.
    stage.world.faults.length = 0
  },
}

/** Scenes of the first doors. */
export const FIRST_DOORS: readonly Scene[] = [signingIn, signingUp, refusals]
