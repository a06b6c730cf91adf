import assert from 'node:assert/strict'
import { confirm, inside, type Story, testStories } from '../../../test/browser/hands.ts'

const STORIES: readonly Story[] = [
  {
    name: 'end a session',
    async play(stage, hand) {
      const ada = await inside(stage, hand)
      const other = stage.world.browser({ clientAddress: '198.51.100.7', userAgent: 'Firefox/140.0' })
      await other.signIn(ada)
      await hand.visit.open('/account/sessions')
      await hand.use('Sign out: session')
      assert.equal((await confirm(stage, hand, ada)).path, '/account/sessions')
      assert.equal(await other.isSignedIn(), true)
      assert.match((await hand.use('Sign out: session')).notice, /\S/)
      assert.equal(await other.isSignedIn(), false)
      assert.equal(await hand.visit.page.getByRole('button', { name: /^End: session/ }).count(), 0)
    },
  },
]

testStories(STORIES)
