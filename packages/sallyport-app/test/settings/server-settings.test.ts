import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { serveOptionsOf } from 'sallyport-app/boot'
import { readServerSettings, type ServerSettings, StartupError } from 'sallyport-app/settings'
import { App } from 'sallyport'
import { serve } from 'sallyport/node'

type Variables = Readonly<Record<string, string>>

const KEY = `${'ab'.repeat(31)}01`
const OLD_KEY = `${'cd'.repeat(31)}01`
const PRODUCTION = { NODE_ENV: 'production', FACTOR_KEY: KEY }
const MAIL = { SMTP_URL: 'smtps://mail.example', MAIL_FROM: 'a@b.example' }

// What each variable does not take, a list that a lenient parser would take included.
const MALFORMED: Readonly<Record<string, readonly string[]>> = {
  NODE_ENV: ['prod', 'Production'],
  HOST: [
    '999.1.1.1',
    ' ',
    'http://127.0.0.1',
    'localhost:80',
    '127.0.0.1/foo',
    'user@localhost',
    'a?b',
    '%31',
  ],
  PORT: ['http', '65536', '-1', '80.5', '0x50', '1e3', '80 ', '+80', '٨٠'],
  ORIGIN: [
    'app.example',
    'ftp://app.example',
    'https:app.example',
    'https://app.example/path',
    'https://app.example/?',
    'https://app.example#',
    'https://user@app.example',
    'https:\\\\app.example',
    ' https://app.example',
    'https://app.example:99999',
  ],
  BASE_PATH: [
    'accounts',
    '/',
    '/accounts/',
    '/Accounts',
    '//evil.test',
    'https://app.example/accounts',
    '/a b',
  ],
  HOSTS: [
    'https://www.app.example',
    'www.app.example,a b',
    '*.app.example',
    '10.0.0.7:http',
    ',',
    'a.example,,b',
  ],
  TRUSTED_PROXIES: [
    'proxy.example',
    'unix',
    '10.0.0.5/8',
    '127.0.0.1/33',
    '::1/64',
    '10.0.0.0/08',
    ',',
    '::1, ',
  ],
  FACTOR_KEY: [
    'short',
    '00'.repeat(32),
    'A'.repeat(43),
    `${KEY},${'ab'.repeat(32)}`,
    `${KEY},short`,
    `,${KEY}`,
  ],
  SMTP_URL: [
    'mail.example',
    'https://mail.example',
    'smtp://',
    'smtps:///mail.example',
    'smtp:mail',
    'smtp://a b',
  ],
  DATABASE_URL: [
    'accounts.sqlite',
    'db.example/accounts',
    'mysql://db.example/accounts',
    'postgres://db.example',
    'postgres://db.example/',
    'postgres:///accounts',
    'postgres://a b/accounts',
  ],
  REDIS_URL: ['cache.example:6379', 'http://cache.example', 'redis://', 'redis:///1', 'rediss://a b'],
  MAIL_FROM: ['Example App', ' ', 'a@app.example, b@app.example', 'A <a@app.example> <b@app.example>'],
}

// What production lacks, or may not have.
const UNFIT: readonly (readonly [name: string, variables: Variables])[] = [
  ['FACTOR_KEY', { NODE_ENV: 'production' }],
  ['MAIL_FROM', { SMTP_URL: 'smtps://mail.example' }],
  ['ORIGIN', { ...PRODUCTION, HOST: '0.0.0.0' }],
  ['ORIGIN', { ...PRODUCTION, HOST: '::' }],
  ['ORIGIN', { ...PRODUCTION, ...MAIL }],
  ...['app.example', '203.0.113.9', '[2001:db8::9]', '172.32.0.1', 'localhost.app.example'].map(
    (host) => ['ORIGIN', { ...PRODUCTION, ORIGIN: `http://${host}` }] as const,
  ),
]

function read(variables: Variables): ServerSettings {
  return readServerSettings(variables, { dataDirectory: '/srv/data' })
}

describe('readServerSettings()', () => {
  it('listens on loopback and keeps its data where the application says by default [RA-3203]', () => {
    assert.deepEqual(read({}), {
      host: '127.0.0.1',
      port: 3000,
      dataDirectory: '/srv/data',
      drainSeconds: 0,
      isProduction: false,
      databaseUrl: undefined,
      redisUrl: undefined,
      origin: undefined,
      basePath: '',
      hosts: [],
      trustedProxies: [],
      keys: [],
      mail: undefined,
      warnings: [],
    })
  })

  it('takes what is set', () => {
    const { keys, ...environment } = read({
      HOST: '0.0.0.0',
      PORT: '0',
      DATA_DIR: 'data',
      NODE_ENV: 'production',
      ORIGIN: 'https://app.example/',
      DRAIN_SECONDS: '9',
      BASE_PATH: '/apps/accounts',
      HOSTS: 'www.app.example, 10.0.0.7,[fd00::7]:8080',
      TRUSTED_PROXIES: '127.0.0.1, 10.0.0.0/8,fd00::/8',
      FACTOR_KEY: `${KEY}, ${OLD_KEY}`,
    })

    assert.deepEqual(environment, {
      host: '0.0.0.0',
      port: 0,
      dataDirectory: 'data',
      drainSeconds: 9,
      isProduction: true,
      databaseUrl: undefined,
      redisUrl: undefined,
      origin: 'https://app.example',
      basePath: '/apps/accounts',
      hosts: ['www.app.example', '10.0.0.7', '[fd00::7]:8080'],
      trustedProxies: ['127.0.0.1', '10.0.0.0/8', 'fd00::/8'],
      mail: undefined,
      warnings: [],
    })
    assert.deepEqual(
      keys.map((key) => key.reveal()),
      [KEY, OLD_KEY],
    )
  })

  it('reads an origin as browsers do: letter case, a default port and an international name do not matter [MEND-10]', () => {
    for (const [ORIGIN, origin] of Object.entries({
      'HTTPS://App.Example:443/': 'https://app.example',
      'https://bücher.example': 'https://xn--bcher-kva.example',
      'http://localhost:80': 'http://localhost',
      'https://app.example:8443': 'https://app.example:8443',
    }))
      assert.equal(read({ ORIGIN }).origin, origin)
  })

  it('takes a sender with a name, and one without [MEND-14]', () => {
    const senderOf = (MAIL_FROM: string): unknown => read({ ...MAIL, MAIL_FROM }).mail?.from
    const address = 'accounts@app.example'

    assert.deepEqual(senderOf(address), { name: '', address })
    assert.deepEqual(senderOf(`Example App <${address}>`), { name: 'Example App', address })
    assert.deepEqual(senderOf('a@bücher.example'), { name: '', address: 'a@xn--bcher-kva.example' })
  })

  for (const [name, values] of Object.entries(MALFORMED))
    it(`refuses a malformed ${name} in one line that shows it, if it is no secret [RA-3203 MEND-14]`, () => {
      const isSecret = ['FACTOR_KEY', 'SMTP_URL', 'DATABASE_URL', 'REDIS_URL'].includes(name)
      for (const value of values) {
        assert.throws(
          () => read({ ...PRODUCTION, [name]: value }),
          (error: unknown) => {
            assert.ok(error instanceof StartupError)
            assert.match(error.message, new RegExp(`^${name} must be [^\\n]+$`))
            assert.equal(error.message.includes(`, not ${JSON.stringify(value)}`), !isSecret)
            return true
          },
        )
      }
    })

  for (const [name, variables] of UNFIT)
    it(`refuses ${JSON.stringify(variables)} in one line that begins with ${name} and shows no key [RA-3203]`, () => {
      assert.throws(
        () => read(variables),
        (error: unknown) => {
          assert.ok(error instanceof StartupError)
          assert.ok(error.message.startsWith(`${name} `), error.message)
          assert.doesNotMatch(error.message, /\n|abab/)
          return true
        },
      )
    })

  it('accepts nothing that the server then refuses [RA-3203]', async () => {
    const addresses = [
      '10.0.0.0',
      '10.0.0.5',
      '0.0.0.0',
      '::',
      'fd00::',
      '::ffff:10.0.0.0',
      'fe80::1%lo',
      '10.0.0',
    ]
    const prefixes = ['', '/0', '/8', '/08', '/32', '/33', '/64', '/104', '/129', '/']
    const hosts = ['app.example', 'a_b.example', 'a..b', '-', 'ä.example', '[::1]:1', 'x:0', 'x:99999', '1.2']
    const settings: readonly Variables[] = [
      ...addresses.flatMap((ip) => prefixes.map((prefix) => ({ TRUSTED_PROXIES: ip + prefix }))),
      ...hosts.flatMap((host) => [{ HOSTS: host }, { ORIGIN: `http://${host}` }]),
    ]
    let accepted = 0
    for (const variables of settings) {
      let options
      try {
        options = serveOptionsOf(read({ ...variables, PORT: '0' }))
      } catch (error) {
        assert.ok(error instanceof StartupError, JSON.stringify(variables))
        continue
      }
      accepted++
      const server = await serve(App.create(), { ...options, signals: [] })
      await server.close()
    }
    assert.ok(accepted > 20, String(accepted))
  })

  it('needs no HTTPS and no origin in production on this machine or in a network of its own [RA-3203]', () => {
    for (const HOST of ['127.0.0.1', 'localhost', '::1'])
      assert.equal(read({ ...PRODUCTION, HOST }).origin, undefined)
    for (const host of ['localhost:3000', '[::1]:8080', '10.1.2.3', '192.168.1.2:8080', '[fd00::7]'])
      assert.ok(read({ ...PRODUCTION, ORIGIN: `http://${host}` }), host)
    assert.ok(read({ ORIGIN: 'http://app.example' }), 'outside production')
  })

  it('warns when it trusts no proxy and every client has one address, and when it may be behind one [RA-3203]', () => {
    const warned = (variables: Variables): readonly unknown[] =>
      read(variables).warnings.map((warning) => warning.split(' ')[0])
    const https = { ...PRODUCTION, ORIGIN: 'https://app.example', HOST: '0.0.0.0' }

    assert.deepEqual(warned({}), [])
    assert.deepEqual(warned(https), ['TRUSTED_PROXIES'])
    assert.deepEqual(warned({ ...https, TRUSTED_PROXIES: '10.0.0.0/8' }), [])
    assert.deepEqual(warned(PRODUCTION), ['ORIGIN', 'TRUSTED_PROXIES'])
    assert.deepEqual(warned({ ...PRODUCTION, HOST: '0.0.0.0', ORIGIN: 'http://10.0.0.7' }), [])
  })
})
