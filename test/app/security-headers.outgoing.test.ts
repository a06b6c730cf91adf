import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import type { App, HttpContext } from 'sallyport'
import type { OutgoingMiddleware } from 'sallyport/http'
import { TestClient } from 'sallyport/testing'

import { type Answers, site } from './fixture.ts'

const HTML = { 'content-type': 'text/html' }
const OF_DOCUMENTS = [
  'content-security-policy',
  'x-frame-options',
  'cross-origin-opener-policy',
  'origin-agent-cluster',
  'referrer-policy',
]
const ANSWERS: Answers = {
  'GET /': () => '<p>hi</p>',
  'GET /text': () => new Response('<p>hi</p>', { headers: { 'content-type': 'text/plain' } }),
  'GET /fails': () => {
    throw new Error('fails')
  },
}

type Process = OutgoingMiddleware<HttpContext>['process']

function through(...processes: readonly Process[]): TestClient {
  const configure = (app: App): void => {
    for (const process of processes) app.middleware().outgoing({ process })
  }
  return new TestClient(site(ANSWERS, { configure }), { origin: 'https://app.test' })
}

function assertSecured(headers: Headers, names: readonly string[] = OF_DOCUMENTS): void {
  for (const name of ['x-content-type-options', 'strict-transport-security', ...names])
    assert.notEqual(headers.get(name), null, name)
}

const REPLACEMENTS: Readonly<Record<string, Process>> = {
  'a new response': () => new Response('<p>new</p>', { headers: HTML }),
  'a copy without its headers': async (response) => new Response(await response.text(), { headers: HTML }),
  'a copy with them': (response) => new Response(response.body, response),
  'a copy without one of them': (response) => {
    const headers = new Headers(response.headers)
    headers.delete('content-security-policy')
    return new Response(response.body, { status: response.status, headers })
  },
  'a type of its own': (response) => {
    response.headers.set('content-type', 'application/xhtml+xml')
    return response
  },
}

describe('security headers behind outgoing middlewares', () => {
  for (const path of ['/', '/text', '/nowhere', '/fails']) {
    for (const [what, process] of Object.entries(REPLACEMENTS)) {
      it(`stand on ${what}, for ${path} [HOLD-14]`, async () => {
        const { headers } = await through(process).get(path)

        const isDocument = /html/.test(headers.get('content-type') ?? '')
        assertSecured(headers, isDocument ? OF_DOCUMENTS : [])
      })
    }
  }

  it('stand on a new response that is no document [HOLD-14]', async () => {
    const { headers } = await through(() => Response.json({})).get('/')

    assertSecured(headers, [])
    assert.equal(headers.get('content-security-policy'), null)
  })

  it('leave alone what a new response says itself [HOLD-14]', async () => {
    const own = { ...HTML, 'x-frame-options': 'SAMEORIGIN', 'x-content-type-options': 'own' }
    const { headers } = await through(() => new Response('', { headers: own })).get('/')

    assert.equal(headers.get('x-frame-options'), 'SAMEORIGIN')
    assert.equal(headers.get('x-content-type-options'), 'own')
    assert.notEqual(headers.get('content-security-policy'), null)
  })

  it('may be taken away and changed on the response that a middleware is given [HOLD-14]', async () => {
    const anew: Process = () => new Response('<p>new</p>', { headers: HTML })
    const less: Process = (response) => {
      response.headers.delete('x-frame-options')
      response.headers.set('referrer-policy', 'no-referrer')
      return response
    }

    const spelled: Process = (response) => {
      response.headers.set('content-type', 'Text/HTML;charset=utf-8')
      return response
    }

    for (const processes of [
      [less],
      [anew, less],
      [less, (response: Response) => response],
      [less, spelled],
    ]) {
      const { headers } = await through(...processes).get('/')

      assert.equal(headers.get('x-frame-options'), null)
      assert.equal(headers.get('referrer-policy'), 'no-referrer')
      assert.notEqual(headers.get('content-security-policy'), null)
    }
  })

  const withScript = (body: string, context: HttpContext): string =>
    `${body}<script nonce="${context.cspNonce()}"></script>`
  const POLICY = 'content-security-policy'
  for (const [what, process] of Object.entries({
    'a copy of the page': async (response, context) =>
      new Response(withScript(await response.text(), context), response),
    'the page as it is': (response, context) => {
      response.headers.set('x-nonce', context.cspNonce())
      return response
    },
  } satisfies Record<string, Process>)) {
    it(`have the nonce that an outgoing middleware asked for on ${what}, once [HOLD-14]`, async () => {
      const { headers } = await through(process, process).get('/')

      assert.match(headers.get(POLICY) ?? '', /^[^,]*script-src 'self' 'nonce-[\w-]{22}'(?:;[^,]*)?$/)
      assertSecured(headers)
    })
  }

  it('leave alone another policy, and none, of a page with a nonce [HOLD-14]', async () => {
    const asking: Process = (response, context) => {
      context.cspNonce()
      return response
    }
    for (const policy of ["default-src 'none'", null]) {
      const choosing: Process = (response) => {
        if (policy === null) response.headers.delete(POLICY)
        else response.headers.set(POLICY, policy)
        return response
      }
      assert.equal((await through(choosing, asking).get('/')).headers.get(POLICY), policy)
      assert.equal((await through(asking, choosing).get('/')).headers.get(POLICY), policy)
    }
  })

  it('carry the nonce of the page on a new response too [HOLD-14]', async () => {
    const { headers } = await through(
      (_, context) => new Response(`<script nonce="${context.cspNonce()}"></script>`, { headers: HTML }),
    ).get('/')

    assert.match(headers.get('content-security-policy') ?? '', /'nonce-/)
  })
})
