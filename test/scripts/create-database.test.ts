import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { PostgresServer, withoutPostgres } from '../../packages/sallyport-app/src/testing/postgres-server.ts'
import { run } from '../cli/packed-package.ts'
import { root } from './guide-code.ts'
import { startProject } from './started-project.ts'
import { copyStarter, CREATE } from './starter-copy.ts'

describe('the database of a new project', () => {
  it('is refused where there is no such one, or the preset cannot use it [RA-3301]', () => {
    const refused = (...words: string[]): string =>
      run(process.execPath, [CREATE, '/nowhere/my-app', '--no-install', ...words], root).out

    assert.match(refused('--database', 'oracle'), /no database "oracle": use sqlite, postgres/)
    assert.match(
      refused('--database', 'postgres', '--preset', 'minimal'),
      /"minimal" keeps its data in SQLite: take "standard"/,
    )
  })

  it('is PostgreSQL with the settings that it gets [RA-3303]', { skip: withoutPostgres }, async (t) => {
    const project = copyStarter(['--preset', 'standard', '--database', 'postgres'])
    const settings = readFileSync(join(project, '.env'), 'utf8')
    const compose = readFileSync(join(project, 'compose.postgres.yml'), 'utf8')
    const [, password = ''] = /^POSTGRES_PASSWORD=([0-9a-f]{32})$/m.exec(settings) ?? []
    assert.doesNotMatch(compose, new RegExp(password))
    // What the service of the compose file makes, on another port.
    const server = await PostgresServer.start()
    t.after(() => server.stop())
    await server.run(`CREATE ROLE app LOGIN PASSWORD '${password}'`)
    await server.run('CREATE DATABASE app OWNER app')
    writeFileSync(join(project, '.env'), settings.replace(':5432', `:${new URL(server.url()).port}`))

    const { url, banner } = await startProject(t, project, { last: 'Ctrl+C' })

    assert.match(banner, /Data: app at 127\.0\.0\.1:\d+ \(DATABASE_URL\)/)
    assert.equal((await fetch(`${url}/login`)).status, 200)
  })
})
