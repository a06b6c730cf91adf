import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { onThisMachine } from '../../packages/sallyport-app/src/testing/on-this-machine.ts'
import { installPackage, packPackage } from '../cli/packed-package.ts'

const PROGRAM = `
import { App, Controller, defineModule } from 'sallyport'
import { serve } from 'sallyport/node'

class Page extends Controller {
  static actions = { index: [], indexPost: [] }
  index() {
    return 'page'
  }
  async indexPost() {
    return (await this.context.form()).all('name').join()
  }
}
const site = defineModule('Site', (module) =>
  module.controllers(Page).routes((routes) => {
    routes.get('/', [Page, 'index'])
    routes.post('/', [Page, 'indexPost'])
  }),
)
const { url } = await serve(App.default().modules(site), { host: '127.0.0.1', port: 0 })
console.log(url)
`

async function served(t: TestContext): Promise<{ folder: string; url: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-replaced-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  installPackage(packPackage(folder), folder)
  writeFileSync(join(folder, 'main.mjs'), PROGRAM)
  const child = spawn(process.execPath, ['main.mjs'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(async () => {
    const ended = once(child, 'close')
    if (child.kill('SIGTERM')) await ended
  })
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
  return { folder, url: `${line.trim()}/site` }
}

describe('a server whose package is replaced while it runs', () => {
  it('answers what it was not asked before', async (t) => {
    const { folder, url } = await served(t)
    // It has begun, and has loaded what it may need.
    await pause(onThisMachine(3000))
    renameSync(join(folder, 'node_modules/sallyport'), join(folder, 'gone'))
    const form = new FormData()
    form.set('name', 'Ada')

    const answered = await fetch(url, { method: 'POST', body: form })

    assert.deepEqual([answered.status, await answered.text()], [200, 'Ada'])
    assert.equal((await fetch(`${url}/nowhere`)).status, 404)
    assert.equal((await fetch(url)).status, 200)
  })
})
