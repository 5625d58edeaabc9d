'use strict'
// What `npm start` runs. The shell that npm starts may keep a signal from this process, and end of it: then this one has to end as well.
// (`exec` in front of `node` would put it in the shell's place, but Windows' has no such command.)
var parent = process.ppid
var watching = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watching)
  process.kill(process.pid, 'SIGTERM')
}, 100)
watching.unref()
// Half of what a start takes is compiling, and most of what a thread's start takes.
require('node:module').enableCompileCache(require('node:path').join(__dirname, '../node_modules/.cache/compile'))
require('./virtual-zarr.cjs')
