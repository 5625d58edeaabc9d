'use strict'
// Says in words that Node is too old, where it would otherwise fail on syntax. Must parse on any Node.
var major = Number(process.versions.node.split('.')[0])
if (major < 24) {
  console.error(
    'virtual-zarr-server needs Node 24 or newer; this is Node ' +
      process.versions.node +
      ' (' +
      process.execPath +
      ').\n' +
      'In a checkout, `npm ci && npm start` brings its own Node. If npm refused to run the install script of the\n' +
      'package "node", allow it: `npm install-scripts approve node && npm rebuild node`.',
  )
  process.exit(1)
}
