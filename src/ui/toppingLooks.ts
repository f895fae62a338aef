// Enough to tell pizzas apart as thumbnails before the builder's recipes are loaded: shape letter, then colour.
const LOOKS =
  'mozzarella mfff0bd,cheddar mf2a33a,paneer cfbf6e6,paneer-tikka ce8934a,onion rd9a7c7,capsicum s4e9a3b,red-pepper sd43a2f,tomato de2442f,sweet-corn of6c945,mushroom gd8c7ae,black-olive r2b2730,jalapeno r7fa63a,red-paprika ob9301f,baby-spinach l3e7d3a,pineapple gf3d45b,potato ce9c66b,basil l2f7a35,green-chilli s5f9e33,coriander o4c8c3b,soya-keema o9a6a43,chicken-tikka gd9793b,smoked-chicken gc99164,bbq-chicken g8f4a26,chicken-keema oa96f45,chicken-sausage dc8684d,chicken-pepperoni db33324,egg dfbf3d0,devilled-chicken gb5371f,tuna od3b7a0,prawn hf09a72,beef-kala-bhuna g5a3220,beef-sausage d9c4634';
const SAUCES =
  'tomato b9301c,makhani d9762b,achari a8761f,jain-tomato c23a22,white f3e3bd,barbecue 5f2413,chettinad 7a4a1e,devilled a52413,sambal b5341a,naga 8f1a12';

const read = (table: string) => new Map(table.split(',').map((row) => row.split(' ') as [string, string]));
const looks = read(LOOKS);
const sauces = read(SAUCES);

/** Shape letter and colour of a topping id; an unknown one looks like a herb. */
export function toppingLook(id: string): { shape: string; colour: string } {
  const look = looks.get(id) ?? 'o4c8c3b';
  return { shape: look[0]!, colour: '#' + look.slice(1) };
}

export const sauceColour = (id = 'tomato') => '#' + (sauces.get(id) ?? 'b9301c');

/** Topping ids that a name mentions, best match first, at most three: small pizzas come without a recipe. */
export function toppingsInName(name: string): string[] {
  const words = name.toLowerCase().split(/\W+/);
  const found = [...looks.keys()]
    .map((id) => ({ id, score: id.split('-').filter((part) => words.includes(part)).length / id.split('-').length }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score);
  return (found.length ? found.map(({ id }) => id) : ['capsicum', 'onion', 'sweet-corn']).slice(0, 3);
}
