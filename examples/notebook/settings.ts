import { existsSync } from 'node:fs'

// Variables that are set already stay as they are.
if (existsSync('.env')) process.loadEnvFile('.env')

/** What the environment says, and what counts if it says nothing. */
export const { DATA = 'data', HOST = '127.0.0.1', PORT = '3000', ORIGIN, PROXIES } = process.env
