/** Hindi labels of the menu categories, by category id. */
export const labels: Readonly<Record<string, string>> = {
  '2': 'शाकाहारी पिज़्ज़ा',
  '3': 'मांसाहारी पिज़्ज़ा',
  '20': 'मिनी पिज़्ज़ा',
  '4': 'साइड्स',
  '46': 'स्पेशल चिकन',
  '50': 'कॉम्बो',
  '26': 'मिठाई',
  '5': 'पेय',
  'pasta-pizza-party': 'पास्ता पिज़्ज़ा पार्टी',
  'loaded-pizza': 'लोडेड पिज़्ज़ा',
  favourite: 'पसंदीदा',
};
