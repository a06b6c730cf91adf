/**
 * The baseline: node:http alone, written by hand for each scenario.
 *
 * @module
 */
import { randomBytes, timingSafeEqual } from 'node:crypto'
import { createServer } from 'node:http'

import { findEvents, findUser, neededPermission, publicUser, readTable, settings } from '../application.ts'

const sessions = settings.scenario === 5 ? await redisSessions() : new Map()

const references = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const answerers = {
  1: answerText,
  2: answerPlaceholder,
  3: answerTable(),
  4: answerWithSession,
  5: answerWithSession,
  6: answerWithSession,
  8: answerWithSession,
}
const answer = answerers[settings.scenario]

createServer((request, response) => {
  const query = request.url.indexOf('?')
  answer(request, response, query === -1 ? request.url : request.url.slice(0, query))
}).listen(settings.port, settings.host)

function answerText(request, response, path) {
  if (path !== '/hello') return sendJson(response, 404, {})
  response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8', 'content-length': 13 })
  response.end('Hello, world!')
}

function answerPlaceholder(request, response, path) {
  if (!path.startsWith('/users/')) return sendJson(response, 404, {})
  const id = decodeURIComponent(path.slice(7))
  sendJson(response, 200, { id, name: `User ${id}` })
}

function answerTable() {
  if (settings.scenario !== 3) return undefined
  const root = { children: new Map() }
  for (const { id, method, path } of readTable()) {
    let node = root
    const names = []
    for (const segment of path.slice(1).split('/')) {
      const isPlaceholder = segment.startsWith(':')
      if (isPlaceholder) names.push(segment.slice(1))
      const key = isPlaceholder ? ':' : segment
      if (!node.children.has(key)) node.children.set(key, { children: new Map(), routes: new Map() })
      node = node.children.get(key)
    }
    node.routes.set(method, { id, names })
  }

  return (request, response, path) => {
    let node = root
    const values = []
    let start = 1
    while (node !== undefined && start <= path.length) {
      const slash = path.indexOf('/', start)
      const end = slash === -1 ? path.length : slash
      const segment = path.slice(start, end)
      const literal = node.children.get(segment)
      if (literal === undefined) values.push(segment)
      node = literal ?? node.children.get(':')
      start = end + 1
    }
    if (node === undefined || node.routes.size === 0) return sendJson(response, 404, {})
    const route = node.routes.get(request.method)
    if (route === undefined) return sendJson(response, 405, {})
    const params = {}
    for (let at = 0; at < values.length; at++) params[route.names[at]] = decodeURIComponent(values[at])
    sendJson(response, 200, { route: route.id, params })
  }
}

async function answerWithSession(request, response, path) {
  if (path === '/login') return logIn(request, response)
  const id = sessionIdOf(request)
  const stored = id === undefined ? undefined : await sessions.get(id)
  if (stored === undefined) return sendJson(response, 401, {})
  // As from an external store: read and written as JSON.
  const session = JSON.parse(stored)
  if (path === '/me') return answerMe(response, session)
  if (path === '/page') return answerPage(response, id, session)
  if (path === '/form/state')
    return sendJson(response, 200, { count: session.count ?? 0, title: session.title ?? null })
  if (path !== '/form') return sendJson(response, 404, {})

  if (request.method === 'GET') {
    session.csrf ??= randomBytes(24).toString('base64url')
    await sessions.set(id, JSON.stringify(session))
    return sendJson(response, 200, { csrf: session.csrf })
  }
  const form = await readForm(request)
  if (!isSame(session.csrf, form.get('_csrf'))) return sendJson(response, 403, {})
  session.count = (session.count ?? 0) + 1
  session.title = form.get('title')
  await sessions.set(id, JSON.stringify(session))
  sendEmpty(response, 303, { location: '/form/done' })
}

async function redisSessions() {
  const { createClient } = await import('redis')
  const client = await createClient({ url: settings.redisUrl }).connect()
  return {
    get: async (id) => (await client.get(`session:${id}`)) ?? undefined,
    set: (id, text) => client.set(`session:${id}`, text, { EX: 7200 }),
  }
}

async function logIn(request, response) {
  const form = await readForm(request)
  const id = randomBytes(24).toString('base64url')
  await sessions.set(id, JSON.stringify({ user: form.get('user') }))
  sendEmpty(response, 204, { 'set-cookie': `sid=${id}; Path=/; HttpOnly; SameSite=Lax` })
}

async function answerMe(response, session) {
  const user = await findUser(session.user)
  if (user === null) return sendJson(response, 401, {})
  if (!user.permissions.includes(neededPermission)) return sendJson(response, 403, {})
  sendJson(response, 200, publicUser(user))
}

async function answerPage(response, id, session) {
  const user = await findUser(session.user)
  if (user === null) return sendJson(response, 401, {})
  if (session.csrf === undefined) {
    session.csrf = randomBytes(24).toString('base64url')
    await sessions.set(id, JSON.stringify(session))
  }
  const page = pageOf(user, await findEvents(user.id), session.csrf)
  response.writeHead(200, {
    'content-type': 'text/html; charset=utf-8',
    'content-length': Buffer.byteLength(page),
  })
  response.end(page)
}

function pageOf(user, events, csrf) {
  const rows = events.map(
    ({ text, from, time, article }) =>
      `<li class="event"><a href="/articles/${article}">${escape(text)}</a> <span class="where">${escape(from)} <time datetime="${escape(time)}">${escape(time)}</time></span></li>\n`,
  )
  const isAllowed = user.permissions.includes(neededPermission)
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Account of ${escape(user.name)}</title>
<link rel="stylesheet" href="/assets/style.css">
</head>
<body>
<header><a class="brand" href="/">Bench</a>
<nav><ul><li><a href="/page" aria-current="page">Account</a></li><li><form method="post" action="/logout"><input type="hidden" name="_csrf" value="${escape(csrf)}"><button>Log out</button></form></li></ul></nav></header>
<main>
<h1>Hello, ${escape(user.name)}</h1>
<p>${escape(user.email)}${isAllowed ? ' <a href="/admin">Administration</a>' : ''}</p>
<ul class="events">
${rows.join('')}</ul>
</main>
<footer><p>The page of the bench</p></footer>
</body>
</html>
`
}

function escape(text) {
  if (!/[&<>"']/.test(text)) return text
  return text.replaceAll(/[&<>"']/g, (character) => references[character])
}

function sessionIdOf(request) {
  const cookie = request.headers.cookie ?? ''
  const start = cookie.indexOf('sid=')
  if (start === -1) return undefined
  const end = cookie.indexOf(';', start)
  return cookie.slice(start + 4, end === -1 ? cookie.length : end)
}

function readForm(request) {
  const { promise, resolve, reject } = Promise.withResolvers()
  let body = ''
  request.setEncoding('utf8')
  request.on('data', (chunk) => (body += chunk))
  request.on('end', () => resolve(new URLSearchParams(body)))
  request.on('error', reject)
  return promise
}

function isSame(expected, given) {
  if (typeof expected !== 'string' || typeof given !== 'string' || expected.length !== given.length)
    return false
  return timingSafeEqual(Buffer.from(expected), Buffer.from(given))
}

function sendJson(response, status, value) {
  const body = JSON.stringify(value)
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

function sendEmpty(response, status, headers) {
  response.writeHead(status, { ...headers, 'content-length': 0 })
  response.end()
}
