import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { clientBehind, leadsOf, openProxy, type Proxy } from 'sallyport-app/testing'
import { PARTS } from '../../parts.ts'
import { ofParts } from '../facts-of-parts.ts'
import { OTHER } from '../languages.ts'
import { Browser, EVERY_PERMISSION, PASSWORD, World } from '../support.ts'
import { personOf } from './steps.ts'

const BASE_PATH = '/accounts'
const MAX_PAGES = 200
// Pages that end what the walk stands on.
const LEFT_OUT = /\/(?:logout|activity\/(?:csv|json))$/

interface Site {
  readonly world: World
  readonly proxy: Proxy
  /** A browser before the proxy; what it receives is looked through. */
  readonly browser: Browser
  /** Where something leads out of the base path. */
  readonly astray: readonly string[]
  /** Pages and files that were received. */
  readonly seen: ReadonlySet<string>
}

async function openSite(test: TestContext, strips: boolean): Promise<Site> {
  // Its address is known when it listens.
  const address: { url?: string } = {}
  const options = {
    ...ofParts('settings'),
    basePath: BASE_PATH,
    origin: () => address.url,
  }
  const world = await World.create(test, options)
  const proxy = await openProxy(test, { basePath: BASE_PATH, upstream: await world.listen(test), strips })
  address.url = proxy.url
  const astray: string[] = []
  const seen = new Set<string>()
  const client = clientBehind(proxy.url, BASE_PATH, (sent, response, body) => {
    const { pathname } = new URL(sent.url)
    seen.add(pathname)
    for (const [kind, url] of leadsOf(response, body))
      if (!isBelow(new URL(url, sent.url), proxy.url)) astray.push(`${pathname}: ${kind} ${url}`)
    for (const line of response.headers.getSetCookie())
      if (!/; Path=\/accounts(?:;|$)/.test(line) && !/^(?:__Host-)?sid(?:-\d+)?_accounts=/.test(line))
        astray.push(`${pathname}: ${line}`)
  })
  return { world, proxy, browser: new Browser(world, client), astray, seen }
}

function isBelow({ protocol, origin, pathname }: URL, own: string): boolean {
  if (protocol === 'data:') return true
  return origin === own && (pathname === BASE_PATH || pathname.startsWith(`${BASE_PATH}/`))
}

/** Opens every page and file that pages link to, from one page on. */
async function walk({ browser, proxy }: Site, from: string): Promise<readonly string[]> {
  const found = new Set([from])
  const pages: string[] = []
  for (const path of found) {
    assert.ok(found.size < MAX_PAGES, [...found].join(' '))
    const page = await browser.open(path)
    assert.ok(page.status < 500, `${path}: ${page.status}`)
    if (page.status === 200) pages.push(path)
    for (const [, url = ''] of page.html.matchAll(/\s(?:href|src)="([^"]+)"/g)) {
      const to = new URL(url.replaceAll('&amp;', '&'), proxy.url + path)
      if (isBelow(to, proxy.url) && !LEFT_OUT.test(to.pathname)) found.add(to.pathname)
    }
    if (page.location !== null) found.add(new URL(page.location, proxy.url).pathname)
  }
  return pages
}

for (const [how, strips] of [
  ['passes on', false],
  ['strips', true],
] as const)
  describe(`below a base path that the proxy ${how}`, () => {
    it('a visitor signs up with a second factor, may do everything then and opens every page, and nothing leads out of it [MEND-09 MEND-12]', async (test) => {
      const site = await openSite(test, strips)
      const { world, browser, proxy } = site
      const at = (path: string): string => BASE_PATH + path

      const outside = await walk(site, at('/'))
      await browser.open(at('/sign-up'))
      await browser.submit(at('/sign-up'), { email: 'eve@example.test' })
      const link = /https?:\/\/\S+/.exec(world.mailbox.list()[0]?.text ?? '')?.[0] ?? ''
      assert.ok(isBelow(new URL(link), proxy.url), link)
      await browser.send(link.slice(proxy.url.length), { name: 'eve', password: PASSWORD })
      const eve = await personOf(world, 'eve', await browser.open(at('/enroll')))
      await browser.submit(at('/enroll'), { code: await world.code(eve) })
      const done = await browser.submit(at('/enroll/done'))
      const permissions = EVERY_PERMISSION.map((permission) => ({ account_id: eve.id, permission }))
      // Without any part there is none.
      if (permissions.length > 0)
        await world.database.insertInto('account_permission').values(permissions).execute()
      const inside = await walk(site, at('/account'))
      // The choice is kept in a cookie of its own.
      await browser.send(at('/language'), { language: OTHER, return_url: at('/account') })
      const old = await browser.open(at('/signin?return_url=%2Faccounts%2Faccount'))
      await browser.open(at('/account'))
      await browser.submit(at('/logout'))
      const refused = await browser.open(at('/account/security'))

      assert.deepEqual(
        [done, old, refused].map(({ location }) => location),
        [
          '/account',
          '/login?return_url=%2Faccounts%2Faccount',
          '/login?return_url=%2Faccounts%2Faccount%2Fsecurity',
        ].map(at),
      )
      assert.ok(outside.length > 8 && inside.length > 12 + PARTS.length, `${outside.length} ${inside.length}`)
      for (const end of ['.css', '.js'])
        assert.ok(
          [...site.seen].some((path) => path.endsWith(end)),
          end,
        )
      assert.deepEqual([site.astray, proxy.strays, world.faults], [[], [], []])
    })
  })
