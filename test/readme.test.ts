import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'

const ROOT = new URL('../', import.meta.url)

describe('README.md', () => {
  it('shows a program under 40 lines that runs as it stands', async () => {
    const readme = await readFile(new URL('README.md', ROOT), 'utf8')
    const program = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    assert.ok(program.split('\n').length < 40)
    // Inside the package, so that the program finds it by name.
    await mkdir(new URL('.tmp/', ROOT), { recursive: true })
    const folder = await mkdtemp(new URL('.tmp/readme-', ROOT).pathname)
    await writeFile(`${folder}/app.ts`, program)
    const child = spawn(process.execPath, ['--conditions=source', `${folder}/app.ts`], {
      env: { ...process.env, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      const url = /http:\S+/.exec(line)?.[0] ?? ''

      const home = await (await fetch(url)).text()
      const greeting: unknown = await (await fetch(`${url}/hello/Ada`)).json()
      const refused = await fetch(`${url}/hello/42`)

      assert.equal(home, '<a href="/hello/Ada">Greet Ada</a>')
      assert.deepEqual(greeting, { hello: 'Ada' })
      assert.equal(refused.status, 404)
    } finally {
      child.kill('SIGTERM')
      await rm(folder, { recursive: true, force: true })
    }
  })

  it('begins with the two commands', async () => {
    const readme = await readFile(new URL('README.md', ROOT), 'utf8')

    assert.deepEqual(readme.match(/^npm \w+/gm)?.slice(0, 2), ['npm start', 'npm test'])
  })
})
