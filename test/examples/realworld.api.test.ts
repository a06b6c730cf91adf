import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'

import { succeed, TSC } from '../cli/packed-package.ts'
import { extractFiles, read, root, writeFiles } from '../scripts/guide-code.ts'
import {
  ApiClient,
  asArticle,
  asArticles,
  asComment,
  asComments,
  asProfile,
  asUser,
} from './realworld-api.ts'
import { RealWorld } from './realworld-program.ts'

const PASSWORD = 'correct horse'

const example = new RealWorld()
let url = ''
let nobody = new ApiClient('')

before(async () => {
  url = await example.start()
  nobody = new ApiClient(url)
})
after(() => example.stop())

const refused = (subject: string, problem: string): object => ({ errors: { [subject]: [problem] } })

describe('the RealWorld example', () => {
  it('has the types and the routes that it should have', () => {
    const settings = extractFiles(read('docs/tutorial.md'))['tsconfig.json'] ?? ''
    writeFiles(example.folder, { 'tsconfig.json': settings })
    const sallyport = join(example.folder, 'node_modules/.bin/sallyport')

    succeed(process.execPath, [TSC, '-p', example.folder], example.folder)
    assert.match(succeed(process.execPath, [sallyport, 'check'], example.folder), /0 faults/)
  })

  it('has at most 900 lines of TypeScript', () => {
    const files = readdirSync(join(root, 'examples/realworld'), { recursive: true, encoding: 'utf8' })
    const sources = files.filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    const lines = sources.flatMap((name) => read(`examples/realworld/${name}`).trimEnd().split('\n'))

    assert.ok(sources.length > 10)
    assert.ok(lines.length <= 900, `${lines.length} lines`)
  })
})

describe('the users of the RealWorld API', () => {
  it('registers, signs in and identifies a user', async () => {
    const user = { username: 'ada', email: 'ada@example.com', password: PASSWORD }

    const registered = asUser(await nobody.expect(201, 'POST', '/users', { user })).user
    const signedIn = asUser(await nobody.expect(200, 'POST', '/users/login', { user })).user
    const current = await new ApiClient(url, signedIn).expect(200, 'GET', '/user')

    assert.equal(registered.username, 'ada')
    assert.deepEqual([registered.bio, registered.image], [null, null])
    assert.deepEqual(asUser(current).user, signedIn)
  })

  it('changes what is given, and takes an empty text for none', async () => {
    const user = await nobody.register()
    const update = async (changes: object) =>
      asUser(await user.expect(200, 'PUT', '/user', { user: changes })).user

    assert.equal((await update({ bio: 'Keeps bees' })).bio, 'Keeps bees')
    assert.equal((await update({ image: 'https://example.com/a.png' })).bio, 'Keeps bees')
    assert.equal((await update({ bio: '', image: null })).image, null)
    const renamed = await update({ username: `${user.username}.b`, email: `${user.username}@b.example` })
    assert.deepEqual(asUser(await user.expect(200, 'GET', '/user')).user, renamed)
    assert.deepEqual([renamed.username, renamed.bio], [`${user.username}.b`, null])
  })

  it('ends the other tokens when the password changes', async () => {
    const first = await nobody.register()
    const login = { email: `${first.username}@example.com`, password: PASSWORD }
    const other = asUser(await nobody.expect(200, 'POST', '/users/login', { user: login })).user

    await first.expect(200, 'PUT', '/user', { user: { password: 'battery staple' } })

    await first.expect(200, 'GET', '/user')
    const ended = await new ApiClient(url, other).expect(401, 'GET', '/user')
    assert.deepEqual(ended, refused('token', 'is invalid'))
    await nobody.expect(401, 'POST', '/users/login', { user: login })
    await nobody.expect(200, 'POST', '/users/login', { user: { ...login, password: 'battery staple' } })
  })

  it('refuses blanks, short passwords, and names and addresses that are taken', async () => {
    const { username } = await nobody.register()
    const user = { username: `${username}x`, email: `${username}x@example.com`, password: PASSWORD }
    for (const field of ['username', 'email', 'password']) {
      const body = await nobody.expect(422, 'POST', '/users', { user: { ...user, [field]: '' } })
      assert.deepEqual((body as { errors: Record<string, string[]> }).errors[field]?.[0], "can't be blank")
      await nobody.expect(422, 'POST', '/users', { user: { ...user, [field]: null } })
    }
    await nobody.expect(422, 'POST', '/users', { user: { ...user, password: 'short' } })
    await nobody.expect(422, 'POST', '/users', { user: { ...user, username: '../admin' } })

    const name = await nobody.expect(409, 'POST', '/users', {
      user: { ...user, username: username.toUpperCase() },
    })
    const email = await nobody.expect(409, 'POST', '/users', {
      user: { ...user, email: `${username}@example.com` },
    })

    assert.deepEqual(name, refused('username', 'has already been taken'))
    assert.deepEqual(email, refused('email', 'has already been taken'))
  })

  it('says the same of a wrong password and of an unknown address', async () => {
    const { username } = await nobody.register()
    const login = (email: string) =>
      nobody.expect(401, 'POST', '/users/login', { user: { email, password: 'wrong' } })

    assert.deepEqual(await login(`${username}@example.com`), refused('credentials', 'invalid'))
    assert.deepEqual(await login('nobody@example.com'), refused('credentials', 'invalid'))
    await nobody.expect(422, 'POST', '/users/login', { user: { email: '', password: 'wrong' } })
  })

  it('limits how often a password is tried', async () => {
    const { username } = await nobody.register()
    const user = { email: `${username}@example.com`, password: 'wrong' }
    for (let attempt = 0; attempt < 10; attempt++) await nobody.expect(401, 'POST', '/users/login', { user })

    const { status } = await nobody.send('POST', '/users/login', { user: { ...user, password: PASSWORD } })

    assert.equal(status, 429)
  })

  it('asks for a token, with the challenge that a 401 must have', async () => {
    for (const [method, path] of [
      ['GET', '/user'],
      ['PUT', '/user'],
      ['GET', '/articles/feed'],
      ['POST', '/articles'],
      ['PUT', '/articles/a'],
      ['DELETE', '/articles/a'],
      ['POST', '/articles/a/favorite'],
      ['DELETE', '/articles/a/favorite'],
      ['POST', '/articles/a/comments'],
      ['DELETE', '/articles/a/comments/1'],
      ['POST', '/profiles/a/follow'],
      ['DELETE', '/profiles/a/follow'],
    ] as const) {
      const body = await nobody.expect(401, method, path, ...(method === 'GET' ? [] : [{}]))
      assert.deepEqual(body, refused('token', 'is missing'))
    }
    assert.equal((await fetch(`${url}/api/user`)).headers.get('www-authenticate'), 'Token')
  })
})

describe('the profiles of the RealWorld API', () => {
  it('are followed and left again', async () => {
    const reader = await nobody.register('reader')
    const { username } = await nobody.register('writer')
    const path = `/profiles/${username}`

    assert.equal(asProfile(await nobody.expect(200, 'GET', path)).following, false)
    assert.equal(asProfile(await reader.expect(200, 'POST', `${path}/follow`)).following, true)
    assert.equal(asProfile(await reader.expect(200, 'POST', `${path}/follow`)).following, true)
    assert.equal(asProfile(await reader.expect(200, 'GET', path)).following, true)
    assert.equal(asProfile(await reader.expect(200, 'DELETE', `${path}/follow`)).following, false)
  })

  it('are a 404 where there is none', async () => {
    const reader = await nobody.register()

    assert.deepEqual(await nobody.expect(404, 'GET', '/profiles/none'), refused('profile', 'not found'))
    await reader.expect(404, 'POST', '/profiles/none/follow')
    await reader.expect(404, 'DELETE', '/profiles/none/follow')
  })
})

describe('the articles of the RealWorld API', () => {
  it('are written, read, changed and deleted', async () => {
    const author = await nobody.register()
    const slug = await author.write({ title: 'Keeping bees', tagList: ['town', 'bees', 'bees'] })
    const path = `/articles/${slug}`

    const { article } = asArticle(await nobody.expect(200, 'GET', path))
    assert.match(slug, /^keeping-bees-/)
    assert.deepEqual([article.tagList, article.author.username], [['bees', 'town'], author.username])

    const changed = asArticle(
      await author.expect(200, 'PUT', path, { article: { body: 'Or in autumn.' } }),
    ).article
    assert.deepEqual([changed.body, changed.slug, changed.tagList], ['Or in autumn.', slug, ['bees', 'town']])
    assert.equal(changed.createdAt, article.createdAt)
    assert.notEqual(changed.updatedAt, article.updatedAt)

    const renamed = asArticle(
      await author.expect(200, 'PUT', path, { article: { title: 'Wasps', tagList: [] } }),
    )
    assert.match(renamed.article.slug, /^wasps-/)
    assert.deepEqual(renamed.article.tagList, [])
    await nobody.expect(404, 'GET', path)

    const moved = `/articles/${renamed.article.slug}`
    assert.equal(await author.expect(204, 'DELETE', moved), undefined)
    assert.deepEqual(await nobody.expect(404, 'GET', moved), refused('article', 'not found'))
  })

  it('belong to their author', async () => {
    const author = await nobody.register()
    const other = await nobody.register()
    const path = `/articles/${await author.write()}`

    const changed = await other.expect(403, 'PUT', path, { article: { body: 'Mine' } })
    const deleted = await other.expect(403, 'DELETE', path)

    assert.deepEqual([changed, deleted], [refused('article', 'forbidden'), refused('article', 'forbidden')])
    assert.equal(asArticle(await nobody.expect(200, 'GET', path)).article.body, 'Begin in spring.')
  })

  it('need a title, a description and a body; equal titles have their own slugs', async () => {
    const author = await nobody.register()
    for (const field of ['title', 'description', 'body']) {
      const article = { title: 'A', description: 'B', body: 'C', [field]: ' ' }
      const body = await author.expect(422, 'POST', '/articles', { article })
      assert.deepEqual(body, refused(field, "can't be blank"))
    }
    const slug = await author.write({ title: 'Same' })
    await author.expect(422, 'PUT', `/articles/${slug}`, { article: { tagList: null } })
    await author.expect(404, 'PUT', '/articles/none', { article: { body: 'x' } })
    await author.expect(404, 'DELETE', '/articles/none')

    assert.notEqual(await author.write({ title: 'Same' }), slug)
  })

  it('are listed by author, tag and reader, newest first and in pages', async () => {
    const author = await nobody.register()
    const reader = await nobody.register()
    const tag = `tag-${author.username}`
    const first = await author.write({ title: 'First', tagList: [tag] })
    const second = await author.write({ title: 'Second' })
    await reader.expect(200, 'POST', `/articles/${first}/favorite`)
    const list = async (query: string, client = nobody) => {
      const { articles, articlesCount } = asArticles(await client.expect(200, 'GET', `/articles?${query}`))
      return [articles.map(({ slug }) => slug), articlesCount]
    }
    const by = `author=${author.username}`

    assert.deepEqual(await list(by), [[second, first], 2])
    assert.deepEqual(await list(`${by}&limit=1`), [[second], 2])
    assert.deepEqual(await list(`${by}&limit=1&offset=1`), [[first], 2])
    assert.deepEqual(await list(`tag=${tag}`), [[first], 1])
    assert.deepEqual(await list(`favorited=${reader.username}`), [[first], 1])
    assert.deepEqual(await list(`favorited=${reader.username}&tag=none`), [[], 0])
    await nobody.expect(422, 'GET', '/articles?limit=0')
    const { tags } = (await nobody.expect(200, 'GET', '/tags')) as { tags: string[] }
    assert.ok(tags.includes(tag))
  })

  it('of followed authors make the feed', async () => {
    const author = await nobody.register()
    const reader = await nobody.register()
    const slug = await author.write()
    const feed = async () => asArticles(await reader.expect(200, 'GET', '/articles/feed?limit=5'))

    assert.equal((await feed()).articlesCount, 0)
    await reader.expect(200, 'POST', `/profiles/${author.username}/follow`)

    const { articles, articlesCount } = await feed()
    assert.deepEqual([articles[0]?.slug, articles[0]?.author.following, articlesCount], [slug, true, 1])
  })

  it('are marked as favorites, each reader once', async () => {
    const author = await nobody.register()
    const path = `/articles/${await author.write()}`
    const mark = async (method: string) =>
      asArticle(await author.expect(200, method, `${path}/favorite`)).article

    await mark('POST')
    const marked = await mark('POST')
    assert.deepEqual([marked.favorited, marked.favoritesCount], [true, 1])
    assert.equal(asArticle(await nobody.expect(200, 'GET', path)).article.favorited, false)

    const unmarked = await mark('DELETE')
    assert.deepEqual([unmarked.favorited, unmarked.favoritesCount], [false, 0])
    await author.expect(404, 'POST', '/articles/none/favorite')
    await author.expect(404, 'DELETE', '/articles/none/favorite')
  })
})

describe('the comments of the RealWorld API', () => {
  it('are written, listed and deleted by their author', async () => {
    const author = await nobody.register()
    const other = await nobody.register()
    const path = `/articles/${await author.write()}/comments`

    const first = asComment(await author.expect(201, 'POST', path, { comment: { body: 'First' } }))
    const second = asComment(await other.expect(201, 'POST', path, { comment: { body: 'Second' } }))
    assert.deepEqual(
      asComments(await nobody.expect(200, 'GET', path)).map(({ body, author }) => [body, author.username]),
      [
        ['First', author.username],
        ['Second', other.username],
      ],
    )

    const stolen = await other.expect(403, 'DELETE', `${path}/${first.id}`)
    await author.expect(204, 'DELETE', `${path}/${first.id}`)
    assert.deepEqual(stolen, refused('comment', 'forbidden'))
    assert.deepEqual(
      asComments(await other.expect(200, 'GET', path)).map(({ id }) => id),
      [second.id],
    )
  })

  it('are refused when they are blank, and a 404 where there is nothing', async () => {
    const author = await nobody.register()
    const path = `/articles/${await author.write()}/comments`
    const elsewhere = `/articles/${await author.write()}/comments`
    const { id } = asComment(await author.expect(201, 'POST', elsewhere, { comment: { body: 'There' } }))

    const blank = await author.expect(422, 'POST', path, { comment: { body: '' } })
    const unknown = await author.expect(404, 'DELETE', `${path}/${id}`)

    assert.deepEqual(blank, refused('body', "can't be blank"))
    assert.deepEqual(unknown, refused('comment', 'not found'))
    await nobody.expect(404, 'GET', '/articles/none/comments')
    const gone = await author.expect(404, 'POST', '/articles/none/comments', { comment: { body: 'x' } })
    assert.deepEqual(gone, refused('article', 'not found'))
  })
})

describe('the errors of the RealWorld API', () => {
  it('have the shape of the specification whatever is wrong', async () => {
    const send = (path: string, init: RequestInit) => fetch(`${url}/api${path}`, init)
    const headers = { 'content-type': 'application/json' }
    const answers = await Promise.all([
      send('/users', { method: 'POST', headers, body: '{"user":' }),
      send('/users', { method: 'POST', headers, body: '{}' }),
      send('/articles?limit=many', {}),
      send('/nothing', {}),
      send('/tags', { method: 'POST' }),
    ])

    assert.deepEqual(
      answers.map(({ status }) => status),
      [400, 422, 422, 404, 405],
    )
    for (const answer of answers) {
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/)
      const { errors } = (await answer.json()) as { errors: Record<string, string[]> }
      assert.ok(Object.values(errors).flat().length > 0)
    }
  })

  it('may be read by pages of other sites, as everything below /api', async () => {
    const headers = { origin: 'https://front.example' }
    const asked = {
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'authorization',
    }

    const preflight = await fetch(`${url}/api/user`, { method: 'OPTIONS', headers: { ...headers, ...asked } })
    const refused = await fetch(`${url}/api/user`, { headers })

    assert.equal(preflight.status, 204)
    assert.match(preflight.headers.get('access-control-allow-headers') ?? '', /authorization/)
    assert.equal(refused.status, 401)
    assert.equal(refused.headers.get('access-control-allow-origin'), '*')
  })
})
