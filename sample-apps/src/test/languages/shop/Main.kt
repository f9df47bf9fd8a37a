package shop

import java.util.concurrent.Executors

class Orders {
    private val lock = Any()
    private var count = 0

    @Synchronized
    fun audit(): Int {
        Thread.sleep(15)
        return ++count
    }

    fun order(): Int = synchronized(lock) {
        Thread.sleep(10)
        count++
    }
}

class Prices {
    val table: Map<String, Int> by lazy {
        Thread.sleep(200)
        mapOf("tea" to 3)
    }
}

fun main() {
    val orders = List(20) { Orders() }
    val prices = List(20) { Prices() }
    Executors.newVirtualThreadPerTaskExecutor().use { pool ->
        for (i in 0 until 60) {
            pool.submit { orders[i % 20].audit() }
            pool.submit { orders[i % 20].order() }
            pool.submit { prices[i % 20].table }
        }
    }
}
