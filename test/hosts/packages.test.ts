import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, it } from 'node:test'

import { getRequestListener, serve } from '@hono/node-server'
import express from 'express'
import fastify from 'fastify'
import { Hono } from 'hono'
import type { App, HttpContext } from 'sallyport'
import { ForbiddenException } from 'sallyport/http'
import { Response as UndiciResponse } from 'undici'

import { type Answers, Faults, site } from '../app/fixture.ts'

// The hosts replace the global class when they serve: what the platform gave is looked at here.
const BEFORE = globalThis.Response

const ANSWERS: Answers = {
  'GET /': () => '<p>hi</p>',
  'GET /json': () => ({ a: 'é' }),
  'GET /none': () => null,
  'GET /no': () => {
    throw new ForbiddenException()
  },
  'GET /boom': () => {
    throw new Error('hunter2')
  },
  'GET /own': () => new Response('own', { status: 201, headers: { 'x-own': '1' } }),
  'GET /kept': () => new BEFORE('kept'),
  'GET /made': () => Response.json({ made: true }, { status: 202 }),
  'GET /foreign': () => new UndiciResponse('no entry', { status: 403, headers: { 'x-upstream': '1' } }),
  'GET /stream': () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const part of ['a', 'b', 'c']) controller.enqueue(new TextEncoder().encode(part))
          controller.close()
        },
      }),
    ),
  'GET /session': async (context: HttpContext) => {
    await context.session().set('x', 1)
    return String(await context.session().get('x'))
  },
  'POST /form': async (context: HttpContext) => (await context.form())?.all('a') ?? null,
  'POST /json': async (context: HttpContext) => [await context.request().json()],
}

const EXPECTED: readonly (readonly [string, number, string | RegExp])[] = [
  ['GET /', 200, '<p>hi</p>'],
  ['HEAD /', 200, ''],
  ['GET /json', 200, '{"a":"é"}'],
  ['GET /none', 204, ''],
  ['GET /no', 403, /This is not allowed/],
  ['GET /boom', 500, /^(?!.*hunter2)/s],
  ['GET /nowhere', 404, /Not found/],
  ['PUT /json', 405, /./],
  ['GET /own', 201, 'own'],
  ['GET /kept', 200, 'kept'],
  ['GET /made', 202, '{"made":true}'],
  ['GET /foreign', 403, 'no entry'],
  ['GET /stream', 200, 'abc'],
  ['GET /session', 200, '1'],
  ['POST /form', 200, '["1","é"]'],
  ['POST /json', 200, '[{"b":2}]'],
]

const BODIES: Readonly<Record<string, { type: string; body: string }>> = {
  'POST /form': { type: 'application/x-www-form-urlencoded', body: 'a=1&a=%C3%A9' },
  'POST /json': { type: 'application/json', body: '{"b":2}' },
}

/** Each host as it is by default, and a way to close it. */
const HOSTS: Readonly<Record<string, (app: App) => Promise<Server>>> = {
  '@hono/node-server': (app) =>
    listening(
      (done) =>
        serve(
          { fetch: (request: Request) => app.fetch(request), port: 0, hostname: '127.0.0.1' },
          done,
        ) as Server,
    ),
  'Hono on it': (app) => {
    const hono = new Hono()
    hono.get('/hono', (context) => context.text('hono'))
    hono.all('*', (context) => app.fetch(context.req.raw))
    return listening((done) => serve({ fetch: hono.fetch, port: 0, hostname: '127.0.0.1' }, done) as Server)
  },
  Express: (app) => {
    const host = express()
    host.get('/express', (_request, response) => void response.send('express'))
    host.use(getRequestListener((request) => app.fetch(request)))
    return listening((done) => createServer(host).listen(0, '127.0.0.1', done))
  },
  Fastify: async (app) => {
    const host = fastify()
    const listener = getRequestListener((request) => app.fetch(request))
    // The body is the application's to read.
    host.removeAllContentTypeParsers()
    host.addContentTypeParser('*', (_request, _payload, done) => done(null))
    host.get('/fastify', () => 'fastify')
    host.all('/*', (request, reply) => {
      reply.hijack()
      void listener(request.raw, reply.raw)
    })
    await host.listen({ port: 0, host: '127.0.0.1' })
    return host.server
  },
}

function listening(start: (done: () => void) => Server): Promise<Server> {
  return new Promise((resolve) => {
    const server = start(() => resolve(server))
  })
}

describe('an application behind another host', () => {
  for (const [name, start] of Object.entries(HOSTS)) {
    it(`answers every route behind ${name}, whatever it does to the global classes [HOST-04]`, async () => {
      const faults = new Faults()
      const server = await start(site(ANSWERS, { configure: faults.listen }))
      const { port } = server.address() as AddressInfo
      try {
        for (const [line, status, text] of EXPECTED) {
          const [method = '', path = ''] = line.split(' ')
          const sent = BODIES[line]
          const response = await fetch(`http://127.0.0.1:${port}${path}`, {
            method,
            ...(sent === undefined ? {} : { body: sent.body, headers: { 'content-type': sent.type } }),
          })
          const body = await response.text()

          assert.equal(response.status, status, `${line}: ${body.slice(0, 200)}`)
          if (typeof text === 'string') assert.equal(body, text, line)
          else assert.match(body, text, line)
          assert.equal(response.headers.get('x-content-type-options'), 'nosniff', line)
        }
        const kept = await fetch(`http://127.0.0.1:${port}/session`)
        assert.match(kept.headers.get('set-cookie') ?? '', new RegExp(`^sid-${port}=`))
        assert.equal((await fetch(`http://127.0.0.1:${port}/foreign`)).headers.get('x-upstream'), '1')
      } finally {
        server.closeAllConnections()
        await new Promise((resolve) => server.close(resolve))
      }
      assert.deepEqual(faults.messages, ['hunter2'])
    })
  }

  it('is tested with a host that has really replaced the global class', () => {
    assert.notEqual(globalThis.Response, BEFORE)
  })
})
