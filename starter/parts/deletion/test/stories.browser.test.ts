import assert from 'node:assert/strict'
import { confirm, enter, type Hand, inside, type Story, testStories } from '../../../test/browser/hands.ts'
import type { Stage } from '../../../test/browser/stage.ts'
import type { Person } from '../../../test/support.ts'

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

async function askToDelete({ stage, hand }: Told, ada: Person): Promise<void> {
  await hand.visit.open('/account/delete')
  assert.equal((await confirm(stage, hand, ada)).path, '/account/delete')
  await hand.fill('Email address of this account', 'eve@example.test')
  const other = await hand.use('Delete my account')
  assert.deepEqual([other.status, other.focus], [422, 'email'])
  await hand.fill('Email address of this account', ada.email)
  const asked = await hand.use('Delete my account')
  assert.match(asked.notice, /Sign in to keep your account/)
}

const STORIES: readonly Story[] = [
  {
    name: 'the deletion of an account, stopped by the link in the mail',
    async play(stage, hand) {
      const told = { stage, hand }
      const ada = await inside(stage, hand)
      await askToDelete(told, ada)
      assert.equal((await hand.visit.open('/account')).path.split('?')[0], '/login')
      assert.match(mailTo(stage, ada.email), /it will be deleted after this time/)

      await followLink(told, ada.email)
      assert.equal((await hand.visit.sight()).heading, 'Keep the account?')
      assert.match((await hand.use('Keep my account')).notice, /Your account stays/)
      assert.match(mailTo(stage, ada.email), /It stays/)
      await enter(stage, hand, ada)
      assert.doesNotMatch((await hand.visit.sight()).notice, /so your account stays/)
    },
  },
]

testStories(STORIES, ['RA-2401'])
