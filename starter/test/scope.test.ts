import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import * as auth from 'sallyport/auth'
import * as framework from 'sallyport'
import * as middleware from 'sallyport/middleware'
import * as session from 'sallyport/session'
import { World } from './support.ts'

const STARTER = fileURLToPath(new URL('..', import.meta.url))

/** Files of the application, without its tests. */
const FILES: readonly string[] = readdirSync(STARTER, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/^(test|node_modules)\//.test(file),
)

function read(file: string): string {
  return readFileSync(join(STARTER, file), 'utf8')
}

function importsOf(file: string): readonly string[] {
  return [...read(file).matchAll(/from '([^'.][^']*)'/g)].map(([, name = '']) => name)
}

describe('what belongs to the application', () => {
  it('are accounts, their rules and the guards: the framework has none of them [SCOPE-05]', async (test) => {
    const world = await World.create(test)
    await world.app.boot()
    const offered = [framework, auth, middleware, session].flatMap((entry) => Object.keys(entry))
    const match = world.app.router().match('GET', '/account/password')
    assert.ok(match.kind === 'found')
    const guards = match.route.middlewares.map(({ name }) => name.replace(/\.of\(.*/, ''))

    assert.deepEqual(
      offered.filter((name) => /user|role|guard|^require|login$|admin/i.test(name)),
      [],
    )
    for (const name of guards.filter((each) => each !== 'CsrfMiddleware'))
      assert.ok(
        FILES.some((file) => read(file).includes(`export class ${name} `)),
        name,
      )
    assert.ok(guards.some((name) => name.startsWith('Require')))
  })

  it('is the pending login: of the framework it uses the session and the clock only [SCOPE-06]', () => {
    const files = FILES.filter((file) => file.startsWith('core/challenges/pending-login'))
    const used = new Set(files.flatMap(importsOf).filter((name) => name.startsWith('sallyport')))

    assert.ok(files.length > 0)
    assert.deepEqual([...used].toSorted(), ['sallyport', 'sallyport/session'])
    const offered = [framework, auth, session].flatMap((entry) => Object.keys(entry))
    assert.deepEqual(
      offered.filter((name) => /pending|challenge|factor|totp/i.test(name)),
      [],
    )
  })

  it('computes no one-time code itself: a library does, which the application depends on [SCOPE-11 FACTOR-41]', () => {
    const { dependencies } = JSON.parse(read('package.json')) as {
      readonly dependencies: Readonly<Record<string, string>>
    }

    assert.ok('otplib' in dependencies)
    assert.deepEqual(
      FILES.filter((file) => /createHmac|subtle\.sign|sha1/i.test(read(file))),
      [],
    )
    assert.ok(importsOf('core/factors/totp-code.ts').some((name) => name.startsWith('otplib')))
  })
})
