/** The sets of made-up cards. Names use the graders' mixed case. PSA's are uppercased when served. */
type TcgSet = {
  game: string;
  /** PSA's brand line, before the set. */
  brand: string;
  set: string;
  year: number;
  language: string;
  /** The number of numbered cards in the set. Secret rares have higher numbers. */
  size: number;
  names: readonly [string, ...string[]];
  variants: readonly [string, ...string[]];
};

type SportsSet = {
  sport: string;
  manufacturer: string;
  set: string;
  year: number;
  size: number;
  players: readonly [string, ...string[]];
  variants: readonly [string, ...string[]];
  autographs: boolean;
};

export const TCG_SETS: readonly [TcgSet, ...TcgSet[]] = [
  {
    game: "Pokémon",
    brand: "Pokemon",
    set: "Base Set",
    year: 1999,
    language: "English",
    size: 102,
    names: ["Charizard-Holo", "Blastoise-Holo", "Venusaur-Holo", "Alakazam-Holo", "Ninetales-Holo", "Pikachu"],
    variants: ["1st Edition", "Shadowless", ""],
  },
  {
    game: "Pokémon",
    brand: "Pokemon",
    set: "Team Rocket",
    year: 2000,
    language: "English",
    size: 82,
    names: ["Dark Charizard-Holo", "Dark Blastoise-Holo", "Dark Dragonite-Holo", "Dark Raichu-Holo"],
    variants: ["1st Edition", ""],
  },
  {
    game: "Pokémon",
    brand: "Pokemon",
    set: "Neo Genesis",
    year: 2000,
    language: "English",
    size: 111,
    names: ["Lugia-Holo", "Typhlosion-Holo", "Feraligatr-Holo", "Ampharos-Holo"],
    variants: ["1st Edition", ""],
  },
  {
    game: "Pokémon",
    brand: "Pokemon Sword & Shield",
    set: "Evolving Skies",
    year: 2021,
    language: "English",
    size: 203,
    names: ["Umbreon VMAX", "Rayquaza VMAX", "Sylveon V", "Leafeon VMAX", "Glaceon V"],
    variants: ["Alternate Art", "Full Art", "Rainbow Rare"],
  },
  {
    game: "Pokémon",
    brand: "Pokemon Scarlet & Violet",
    set: "151",
    year: 2023,
    language: "English",
    size: 165,
    names: ["Mew ex", "Zapdos ex", "Blastoise ex", "Erika's Invitation", "Bulbasaur"],
    variants: ["Special Illustration Rare", "Illustration Rare", "Ultra Rare"],
  },
  {
    game: "Pokémon",
    brand: "Pokemon Japanese SV4a",
    set: "Shiny Treasure ex",
    year: 2023,
    language: "Japanese",
    size: 190,
    names: ["Gardevoir ex", "Mimikyu", "Charizard ex", "Iono"],
    variants: ["Shiny Super Rare", "Special Art Rare", "Shiny"],
  },
  {
    game: "One Piece",
    brand: "One Piece OP01",
    set: "Romance Dawn",
    year: 2022,
    language: "English",
    size: 121,
    names: ["Monkey.D.Luffy", "Roronoa Zoro", "Nami", "Shanks", "Trafalgar Law"],
    variants: ["Alternate Art", "Leader", "Parallel"],
  },
  {
    game: "One Piece",
    brand: "One Piece Japanese OP05",
    set: "Awakening of the New Era",
    year: 2023,
    language: "Japanese",
    size: 119,
    names: ["Sabo", 'Eustass "Captain" Kid', "Enel", "Donquixote Rosinante"],
    variants: ["Manga", "Alternate Art", "Super Rare"],
  },
  {
    game: "Magic: The Gathering",
    brand: "Magic the Gathering",
    set: "Modern Horizons 2",
    year: 2021,
    language: "English",
    size: 303,
    names: ["Ragavan, Nimble Pilferer", "Solitude", "Murktide Regent", "Urza's Saga"],
    variants: ["Borderless", "Retro Frame", "Etched Foil"],
  },
  {
    game: "Yu-Gi-Oh!",
    brand: "Yu-Gi-Oh! LOB",
    set: "Legend of Blue Eyes White Dragon",
    year: 2002,
    language: "English",
    size: 126,
    names: ["Blue-Eyes White Dragon", "Dark Magician", "Exodia the Forbidden One", "Red-Eyes B. Dragon"],
    variants: ["1st Edition", "Unlimited"],
  },
  {
    game: "Lorcana",
    brand: "Disney Lorcana",
    set: "The First Chapter",
    year: 2023,
    language: "English",
    size: 204,
    names: [
      "Elsa - Spirit of Winter",
      "Mickey Mouse - Brave Little Tailor",
      "Maleficent - Monstrous Dragon",
      "Stitch - Rock Star",
    ],
    variants: ["Enchanted", "Foil"],
  },
];

export const SPORTS_SETS: readonly [SportsSet, ...SportsSet[]] = [
  {
    sport: "Baseball",
    manufacturer: "Topps",
    set: "Chrome",
    year: 2018,
    size: 200,
    players: ["Ronald Acuna Jr.", "Juan Soto", "Rafael Devers", "Ozzie Albies"],
    variants: ["Refractor", "Pink Refractor", "Sepia Refractor", ""],
    autographs: false,
  },
  {
    sport: "Baseball",
    manufacturer: "Bowman",
    set: "Chrome Prospect Autographs",
    year: 2023,
    size: 150,
    players: ["Jackson Holliday", "Ethan Salas", "Junior Caminero", "Dylan Crews"],
    variants: ["Prospect Auto", "Prospect Auto-Refractor", "Prospect Auto-Blue Ref."],
    autographs: true,
  },
  {
    sport: "Baseball",
    manufacturer: "Topps",
    set: "Baseball",
    year: 1987,
    size: 792,
    players: ["Barry Bonds", "Bo Jackson", "Mark McGwire", "Barry Larkin"],
    variants: ["", "Tiffany"],
    autographs: false,
  },
  {
    sport: "Basketball",
    manufacturer: "Fleer",
    set: "Basketball",
    year: 1986,
    size: 132,
    players: ["Michael Jordan", "Charles Barkley", "Hakeem Olajuwon", "Clyde Drexler"],
    variants: ["", "Sticker"],
    autographs: false,
  },
  {
    sport: "Basketball",
    manufacturer: "Panini",
    set: "Prizm",
    year: 2019,
    size: 300,
    players: ["Zion Williamson", "Ja Morant", "RJ Barrett", "LeBron James"],
    variants: ["Silver Prizm", "Red Ice Prizm", "Hyper Prizm", ""],
    autographs: false,
  },
  {
    sport: "Basketball",
    manufacturer: "Panini",
    set: "Contenders Rookie Ticket",
    year: 2023,
    size: 150,
    players: ["Victor Wembanyama", "Scoot Henderson", "Brandon Miller"],
    variants: ["Autograph", "Autograph-Cracked Ice"],
    autographs: true,
  },
  {
    sport: "Football",
    manufacturer: "Panini",
    set: "Donruss Optic",
    year: 2020,
    size: 200,
    players: ["Joe Burrow", "Justin Herbert", "Justin Jefferson", "Jalen Hurts"],
    variants: ["Rated Rookie", "Rated Rookie-Holo", "Downtown"],
    autographs: false,
  },
  {
    sport: "Football",
    manufacturer: "Topps",
    set: "Football",
    year: 1984,
    size: 396,
    players: ["John Elway", "Dan Marino", "Eric Dickerson"],
    variants: [""],
    autographs: false,
  },
  {
    sport: "Hockey",
    manufacturer: "O-Pee-Chee",
    set: "Hockey",
    year: 1979,
    size: 396,
    players: ["Wayne Gretzky", "Bobby Clarke", "Mike Bossy"],
    variants: [""],
    autographs: false,
  },
  {
    sport: "Hockey",
    manufacturer: "Upper Deck",
    set: "Young Guns",
    year: 2015,
    size: 500,
    players: ["Connor McDavid", "Jack Eichel", "Artemi Panarin"],
    variants: ["Young Guns", "Young Guns-Canvas"],
    autographs: false,
  },
  {
    sport: "Soccer",
    manufacturer: "Topps",
    set: "Chrome UEFA Champions League",
    year: 2021,
    size: 200,
    players: ["Jude Bellingham", "Pedri", "Jamal Musiala", "Erling Haaland"],
    variants: ["Refractor", "Aqua Refractor", "Speckle Refractor"],
    autographs: false,
  },
];
