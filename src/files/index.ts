/** Files on Node: public folders, and a storage for uploads. @module */
export { DiskFileStorage } from './disk-file-storage.ts'
export { StaticFiles } from './static-files.ts'
