import assert from 'node:assert/strict'
import type { Person } from '../../../test/support.ts'
import { confirm, enter, type Hand, inside, type Story, testStories } from '../../../test/browser/hands.ts'
import type { Stage } from '../../../test/browser/stage.ts'

const NEW = 'ada.lovelace@example.test'
const CHOSEN = 'a quiet orchard in the rain'

/** The newest mail to an address, as the person reads it. */
function mailTo({ world }: Stage, address: string): string {
  return world.mailbox.list().find(({ to }) => to === address)?.text ?? ''
}

/** Follows the link of the newest mail to an address. */
async function followLink({ stage, hand }: Told, address: string): Promise<void> {
  const link = /http:\/\/localhost:\d+(\/\S+)/.exec(mailTo(stage, address))?.[1]
  assert.ok(link !== undefined, `the mail to ${address} has a link`)
  await hand.visit.open(link)
}

interface Told {
  readonly stage: Stage
  readonly hand: Hand
}

async function changeAddress(told: Told, ada: Person): Promise<void> {
  const { stage, hand } = told
  await hand.visit.open('/account/address')
  assert.equal((await confirm(stage, hand, ada)).path, '/account/address')
  await hand.fill('New email address', ada.email)
  const same = await hand.use('Send the link')
  assert.deepEqual([same.status, same.focus], [422, 'email'])
  await hand.fill('New email address', NEW)
  assert.equal((await hand.use('Send the link')).heading, 'Check the new mailbox')
  await followLink(told, NEW)
  const changed = await hand.use('Use this address')
  assert.equal(changed.path, '/account')
  assert.match(changed.notice, /Your address was changed/)
}

const STORIES: readonly Story[] = [
  {
    name: 'a new address, confirmed by its mail, told to both, and brought back by the mail to the former one',
    async play(stage, hand) {
      const told = { stage, hand }
      const ada = await inside(stage, hand)
      await changeAddress(told, ada)
      assert.match(mailTo(stage, NEW), /Your account has this address now/)
      assert.match(mailTo(stage, ada.email), /has another one now/)
      await hand.use('Sign out')
      await enter(stage, hand, { ...ada, email: NEW })

      await followLink(told, ada.email)
      const restored = await hand.use('Restore my address')
      assert.match(restored.notice, /Your address was restored/)
      assert.match(mailTo(stage, ada.email), /Your account has this address again/)
      assert.match(mailTo(stage, NEW), /has its former one again/)
      assert.equal((await hand.visit.open('/account')).path.split('?')[0], '/login')

      await hand.visit.open('/forgot')
      await hand.fill('Email address', ada.email)
      await hand.use('Send the link')
      await followLink(told, ada.email)
      await hand.fill('Password', CHOSEN)
      await hand.use('Set the password')
      await hand.fill('Email address', ada.email)
      await hand.fill('Password', CHOSEN)
      await hand.use('Continue')
      await hand.fill('Six-digit code', await stage.code(ada))
      assert.equal((await hand.use('Sign in')).path, '/account')
    },
  },
]

testStories(STORIES, ['RA-2401'])
