import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { HttpContext } from 'sallyport'

import { browser } from '../app/fixture.ts'

const ANSWERS = {
  'POST /add': async (context: HttpContext) => {
    await context.flash().add('notice', 'saved')
    await context.flash().add('error', '<b>')
  },
  'POST /spoil': (context: HttpContext) =>
    context.session().set('_flash', [{ kind: 'x' }, 5, null, { kind: 'a', text: 'ok' }]),
  'POST /break': (context: HttpContext) => context.session().set('_flash', 'no list'),
  'GET /take': (context: HttpContext) => context.flash().take(),
}

describe('Flash', () => {
  it('keeps messages for the next page, in order, and forgets them when it is shown', async () => {
    const client = browser(ANSWERS)
    await client.post('/add')

    assert.deepEqual(await (await client.get('/take')).json(), [
      { kind: 'notice', text: 'saved' },
      { kind: 'error', text: '<b>' },
    ])
    assert.deepEqual(await (await client.get('/take')).json(), [])
  })

  it('opens no session for a visitor without messages', async () => {
    assert.deepEqual((await browser(ANSWERS).get('/take')).headers.getSetCookie(), [])
  })

  it('passes over what is no message', async () => {
    const client = browser(ANSWERS)

    await client.post('/spoil')
    assert.deepEqual(await (await client.get('/take')).json(), [{ kind: 'a', text: 'ok' }])
    await client.post('/break')
    assert.deepEqual(await (await client.get('/take')).json(), [])
  })
})
