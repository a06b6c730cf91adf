/** An account with long names and many things. @module */
import { reports } from '../../flow/reports.ts'
import { CHOICE } from '../../languages.ts'
import type { Scene } from '../stage.ts'
import { LONG_EMAIL, LONG_NAME, person } from './people.ts'

// As long as names may be, and without a place to break.
const LONG_LABEL = 'x'.repeat(60)

const many: Scene = {
  name: 'an account with long names',
  shows: ['/', '/account', '/account/security'],
  options: { modules: [reports] },
  async play(stage) {
    const { world } = stage
    const long = await person(world, {
      name: LONG_NAME,
      email: LONG_EMAIL,
    })
    await world.database.updateTable('factor').set({ label: LONG_LABEL }).execute()
    const visit = await stage.open()
    await stage.signIn(visit, long)
    await stage.look(visit, 'many-account')
    await stage.show(visit, '/account/security', 'many-security')
    await stage.show(visit, '/', 'many-home')
    // What its owner may not see.
    await stage.show(visit, '/reports', 'error-403')
  },
}

const changes: Scene = {
  name: 'changes of factors and password',
  shows: [
    '/account/security/add',
    '/account/security/factors/{id}/replace',
    '/account/security/factors/{id}/rename',
    '/account/security/factors/{id}/remove',
    '/account/password',
    '/account/recovery-codes',
  ],
  async play(stage) {
    const { world } = stage
    const ada = await world.person('ada', { factor: 'enabled' })
    const [factor] = await world.identity.factors.list(ada.id)
    const visit = await stage.open()
    await stage.signIn(visit, ada)
    const own = `/account/security/factors/${factor?.id}`
    for (const path of ['/account/security/add', `${own}/replace`, `${own}/rename`, `${own}/remove`]) {
      await stage.show(visit, path, `change-${path.split('/').at(-1)}`)
    }
    await stage.show(visit, '/account/password', 'change-password')
    await stage.show(visit, '/account/recovery-codes', 'change-recovery-codes')
    await visit.click('button', 'Create new codes')
    await stage.look(visit, 'change-new-codes')
  },
}

const leaving: Scene = {
  name: 'leaving, and what follows it',
  shows: ['/', ...CHOICE, '/logout', '/dev/mail', '/login'],
  async play(stage) {
    const ada = await stage.world.person('ada', { factor: 'enabled' })
    const visit = await stage.open()
    for (const path of ['/', ...CHOICE, '/logout']) {
      await stage.show(visit, path, `outside${path.replace('/', '-')}`)
    }
    await stage.enterPassword(visit, ada)
    await visit.open('/')
    await stage.look(visit, 'outside-pending')
    await visit.click('button', 'Cancel it')
    await stage.signIn(visit, ada)
    for (const path of ['/', ...CHOICE, '/logout']) {
      await stage.show(visit, path, `inside${path.replace('/', '-')}`)
    }
    await visit.after(() => visit.page.locator('main button').click())
    await stage.look(visit, 'signed-out')
    await stage.show(visit, '/dev/mail', 'mailbox')
  },
}

/** Scenes of an account. */
export const ACCOUNT: readonly Scene[] = [many, changes, leaving]
