import { missing } from '../facts-of-parts.ts'
import { addFactor, ADD, pathOf, withSecretOf } from './security-steps.ts'
import { type Changes, testTwinChanges } from './twin-changes.ts'

const CHANGES: Changes = {
  'a change of password': async () => ({
    path: '/account/password',
    fields: { password: 'four ladders lean on the wall' },
  }),
  'new recovery codes': async () => ({ path: '/account/recovery-codes' }),
  'another authenticator': async ({ world, browser, person }) => {
    const added = withSecretOf(person, await browser.open(ADD))
    return { path: ADD, fields: { label: 'Tablet', code: await world.code(added) } }
  },
  'the removal of an authenticator': async (owner) => {
    await addFactor(owner, 'Tablet')
    return { path: await pathOf(owner, 'remove') }
  },
  ...(missing('address-change')
    ? {}
    : {
        'a change of address': async ({ world, browser }) => {
          await browser.open('/account/address')
          await browser.submit('/account/address', { email: 'ada@new.example.test' })
          const mail = world.mailbox.list().find(({ to }) => to === 'ada@new.example.test')
          return { path: /https:\/\/app\.test(\/address\/\S+)/.exec(mail?.text ?? '')?.[1] ?? '' }
        },
      }),
}

testTwinChanges(CHANGES)
